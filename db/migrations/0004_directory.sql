CREATE TABLE "idempotency_keys" (
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "star_external_ids" (
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"star_id" integer NOT NULL,
	CONSTRAINT "star_external_ids_source_external_id_pk" PRIMARY KEY("source","external_id")
);
--> statement-breakpoint
CREATE TABLE "star_facts" (
	"star_id" integer NOT NULL,
	"field" text NOT NULL,
	"source" jsonb,
	"edited_at" timestamp with time zone,
	CONSTRAINT "star_facts_star_id_field_pk" PRIMARY KEY("star_id","field")
);
--> statement-breakpoint
CREATE TABLE "star_offers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "star_offers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"field" text NOT NULL,
	"offered" jsonb NOT NULL,
	"source" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"declined_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "star_redirects" (
	"from_id" integer PRIMARY KEY NOT NULL,
	"into_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "star_revisions" (
	"star_id" integer NOT NULL,
	"number" integer NOT NULL,
	"actor_id" integer,
	"action" text NOT NULL,
	"document" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "star_revisions_star_id_number_pk" PRIMARY KEY("star_id","number")
);
--> statement-breakpoint
ALTER TABLE "pictures" DROP CONSTRAINT "pictures_source";--> statement-breakpoint
DROP INDEX "photos_order";--> statement-breakpoint
ALTER TABLE "star_members" DROP CONSTRAINT "star_members_group_id_position_pk";--> statement-breakpoint
ALTER TABLE "achievements" ALTER COLUMN "award_date" SET DATA TYPE text USING to_char("award_date", 'YYYY-MM-DD');--> statement-breakpoint
ALTER TABLE "photos" ALTER COLUMN "taken_at" SET DATA TYPE text USING to_char("taken_at", 'YYYY-MM-DD');--> statement-breakpoint
ALTER TABLE "star_profiles" ALTER COLUMN "debut_date" SET DATA TYPE text USING to_char("debut_date", 'YYYY-MM-DD');--> statement-breakpoint
ALTER TABLE "star_profiles" ALTER COLUMN "birth_date" SET DATA TYPE text USING to_char("birth_date", 'YYYY-MM-DD');--> statement-breakpoint
ALTER TABLE "timeline_events" ALTER COLUMN "date" SET DATA TYPE text USING to_char("date", 'YYYY-MM-DD');--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "anniversary_of" integer;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "anniversary_fact" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "anniversary_year" smallint;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "id" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "pictures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "upload_hash" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "height" integer;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "focus_x" real;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "focus_y" real;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "alt" jsonb;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "credit" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "licence" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "credit_url" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "taken_at" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "uploaded_by" integer;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "withdrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "withdrawal_reason" text;--> statement-breakpoint
ALTER TABLE "pictures" ADD COLUMN "updated_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "achievement_translations" ADD COLUMN "award_category" text;--> statement-breakpoint
ALTER TABLE "achievement_translations" ADD COLUMN "organisation" text;--> statement-breakpoint
ALTER TABLE "achievements" ADD COLUMN "source" jsonb;--> statement-breakpoint
ALTER TABLE "social_links" ADD COLUMN "source" jsonb;--> statement-breakpoint
ALTER TABLE "star_members" ADD COLUMN "id" integer PRIMARY KEY NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "star_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "star_members" ADD COLUMN "since" text;--> statement-breakpoint
ALTER TABLE "star_members" ADD COLUMN "until" text;--> statement-breakpoint
ALTER TABLE "star_members" ADD COLUMN "is_former" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "star_members" ADD COLUMN "source" jsonb;--> statement-breakpoint
ALTER TABLE "star_profiles" ADD COLUMN "activity" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "star_profiles" ADD COLUMN "end_date" text;--> statement-breakpoint
ALTER TABLE "star_profiles" ADD COLUMN "parent_id" integer;--> statement-breakpoint
ALTER TABLE "stars" ADD COLUMN "avatar_key" text;--> statement-breakpoint
ALTER TABLE "stars" ADD COLUMN "hidden_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "timeline_events" ADD COLUMN "source" jsonb;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_external_ids" ADD CONSTRAINT "star_external_ids_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_facts" ADD CONSTRAINT "star_facts_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_offers" ADD CONSTRAINT "star_offers_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_redirects" ADD CONSTRAINT "star_redirects_into_id_stars_id_fk" FOREIGN KEY ("into_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_revisions" ADD CONSTRAINT "star_revisions_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_revisions" ADD CONSTRAINT "star_revisions_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "star_external_ids_star" ON "star_external_ids" USING btree ("star_id");--> statement-breakpoint
CREATE UNIQUE INDEX "star_offers_once" ON "star_offers" USING btree ("star_id","field",(source ->> 'name'));--> statement-breakpoint
CREATE INDEX "star_redirects_into" ON "star_redirects" USING btree ("into_id");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_anniversary_of_stars_id_fk" FOREIGN KEY ("anniversary_of") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_profiles" ADD CONSTRAINT "star_profiles_parent_id_stars_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."stars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stars" ADD CONSTRAINT "stars_avatar_key_pictures_key_fk" FOREIGN KEY ("avatar_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "events_anniversary" ON "events" USING btree ("anniversary_of","anniversary_fact","anniversary_year");--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_id" ON "pictures" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_upload" ON "pictures" USING btree ("upload_hash");--> statement-breakpoint
CREATE INDEX "pictures_library" ON "pictures" USING btree ("created_at" DESC NULLS FIRST) WHERE upload_hash is not null;--> statement-breakpoint
CREATE INDEX "star_members_order" ON "star_members" USING btree ("group_id","position");--> statement-breakpoint
CREATE INDEX "star_profiles_parent" ON "star_profiles" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "photos_order" ON "photos" USING btree ("star_id","position");--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_focus" CHECK ("pictures"."focus_x" between 0 and 1 and "pictures"."focus_y" between 0 and 1);--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_source" CHECK (num_nonnulls("pictures"."art", "pictures"."source_url", "pictures"."upload_hash") = 1);--> statement-breakpoint
ALTER TABLE "achievements" ADD CONSTRAINT "achievements_date" CHECK ("achievements"."award_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_taken" CHECK ("photos"."taken_at" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "star_members" ADD CONSTRAINT "star_members_since" CHECK ("star_members"."since" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "star_members" ADD CONSTRAINT "star_members_until" CHECK ("star_members"."until" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "star_profiles" ADD CONSTRAINT "star_profiles_debut" CHECK ("star_profiles"."debut_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "star_profiles" ADD CONSTRAINT "star_profiles_birth" CHECK ("star_profiles"."birth_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "star_profiles" ADD CONSTRAINT "star_profiles_end" CHECK ("star_profiles"."end_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');--> statement-breakpoint
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_date" CHECK ("timeline_events"."date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$');