CREATE TABLE "audit_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" integer,
	"notes" text,
	"details" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "follows" (
	"user_id" integer NOT NULL,
	"star_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_user_id_star_id_pk" PRIMARY KEY("user_id","star_id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text NOT NULL,
	"window_start" timestamp with time zone NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "rate_limits_key_window_start_pk" PRIMARY KEY("key","window_start")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_agent" text,
	"address" "inet"
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"username_key" text NOT NULL,
	"email" text,
	"email_key" text,
	"email_verified_at" timestamp with time zone,
	"display_name" text,
	"password_hash" text,
	"role" text DEFAULT 'user' NOT NULL,
	"language" text DEFAULT 'ko' NOT NULL,
	"profile_image_url" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('user', 'editor', 'admin'))
);
--> statement-breakpoint
CREATE TABLE "article_rewrites" (
	"article_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"summary" text NOT NULL,
	"content" text NOT NULL,
	"content_html" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"search_key" text GENERATED ALWAYS AS (byeol_fold(title || ' ' || summary)) STORED,
	CONSTRAINT "article_rewrites_article_id_language_pk" PRIMARY KEY("article_id","language")
);
--> statement-breakpoint
CREATE TABLE "article_stars" (
	"article_id" integer NOT NULL,
	"star_id" integer NOT NULL,
	"position" smallint DEFAULT 0 NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	CONSTRAINT "article_stars_article_id_star_id_pk" PRIMARY KEY("article_id","star_id")
);
--> statement-breakpoint
CREATE TABLE "articles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "articles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"entertainment_category" text NOT NULL,
	"picture_key" text,
	"outlet" text NOT NULL,
	"original_url" text NOT NULL,
	"original_title" text NOT NULL,
	"original_content" text NOT NULL,
	"original_published_at" timestamp with time zone NOT NULL,
	"model" text,
	"reviewer" jsonb,
	"published_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "embed_translations" (
	"embed_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	CONSTRAINT "embed_translations_embed_id_language_pk" PRIMARY KEY("embed_id","language")
);
--> statement-breakpoint
CREATE TABLE "embeds" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embeds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"article_id" integer NOT NULL,
	"platform" text NOT NULL,
	"embed_type" text NOT NULL,
	"embed_id" text NOT NULL,
	"embed_url" text NOT NULL,
	"picture_key" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"position" smallint DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channel_members" (
	"channel_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"joined_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channel_members_channel_id_user_id_pk" PRIMARY KEY("channel_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "channel_translations" (
	"channel_id" integer NOT NULL,
	"language" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "channel_translations_channel_id_language_pk" PRIMARY KEY("channel_id","language")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "channels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"member_count" integer DEFAULT 0 NOT NULL,
	"last_activity_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"client_id" text,
	"content" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"deleted_by" integer,
	CONSTRAINT "messages_length" CHECK (char_length("messages"."content") between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "event_categories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"event_type" text NOT NULL,
	"color" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_category_translations" (
	"category_id" integer NOT NULL,
	"language" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "event_category_translations_category_id_language_pk" PRIMARY KEY("category_id","language")
);
--> statement-breakpoint
CREATE TABLE "event_stars" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_stars_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_id" integer NOT NULL,
	"star_id" integer NOT NULL,
	"role" text DEFAULT 'performer' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_subscriptions" (
	"user_id" integer NOT NULL,
	"event_id" integer NOT NULL,
	"subscription_type" text DEFAULT 'interested' NOT NULL,
	"email" boolean DEFAULT true NOT NULL,
	"push" boolean DEFAULT true NOT NULL,
	"times" text[] DEFAULT '{1d,1h}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "event_subscriptions_user_id_event_id_pk" PRIMARY KEY("user_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "event_translations" (
	"event_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"venue" text,
	"location" text,
	"search_key" text GENERATED ALWAYS AS (byeol_fold(title || ' ' || coalesce(venue, ''))) STORED,
	CONSTRAINT "event_translations_event_id_language_pk" PRIMARY KEY("event_id","language")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_type" text NOT NULL,
	"category_id" integer NOT NULL,
	"state" text DEFAULT 'scheduled' NOT NULL,
	"verification" text DEFAULT 'pending' NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone,
	"zone" text DEFAULT 'Asia/Seoul' NOT NULL,
	"precision" text DEFAULT 'minute' NOT NULL,
	"capacity" integer,
	"rsvp_count" integer DEFAULT 0 NOT NULL,
	"primary_star_id" integer,
	"source_article_id" integer,
	"ticket_url" text,
	"streaming_url" text,
	"official_url" text,
	"extraction_confidence" smallint,
	"evidence" jsonb,
	"decided_at" timestamp with time zone,
	"decided_by" integer,
	"decision_notes" text,
	"sequence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_order" CHECK ("events"."end_time" is null or "events"."end_time" >= "events"."start_time"),
	CONSTRAINT "events_confidence" CHECK ("events"."extraction_confidence" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"key" text PRIMARY KEY NOT NULL,
	"art" jsonb,
	"source_url" text,
	"aspect" text DEFAULT '3:2' NOT NULL,
	"placeholder" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_source" CHECK (("pictures"."art" is null) <> ("pictures"."source_url" is null))
);
--> statement-breakpoint
CREATE TABLE "achievement_translations" (
	"achievement_id" integer NOT NULL,
	"language" text NOT NULL,
	"achievement" text NOT NULL,
	"award_name" text NOT NULL,
	"work_title" text,
	CONSTRAINT "achievement_translations_achievement_id_language_pk" PRIMARY KEY("achievement_id","language")
);
--> statement-breakpoint
CREATE TABLE "achievements" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "achievements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"award_date" date NOT NULL,
	"result" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "name_table" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "name_table_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"names" jsonb NOT NULL,
	"aliases" text[] DEFAULT '{}' NOT NULL,
	"star_id" integer,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "photo_translations" (
	"photo_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	CONSTRAINT "photo_translations_photo_id_language_pk" PRIMARY KEY("photo_id","language")
);
--> statement-breakpoint
CREATE TABLE "photos" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "photos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"category" text NOT NULL,
	"position" smallint NOT NULL,
	"picture_key" text NOT NULL,
	"photographer" text,
	"taken_at" date,
	"view_count" integer DEFAULT 0 NOT NULL,
	"like_count" integer DEFAULT 0 NOT NULL,
	"is_official_photo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social_links" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "social_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"platform" text NOT NULL,
	"profile_url" text NOT NULL,
	"display_name" text NOT NULL,
	"platform_user_id" text,
	"is_verified" boolean DEFAULT false NOT NULL,
	"is_official" boolean DEFAULT false NOT NULL,
	"follower_count" integer,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "star_aliases" (
	"star_id" integer NOT NULL,
	"alias" text NOT NULL,
	"alias_key" text GENERATED ALWAYS AS (byeol_fold(alias)) STORED,
	CONSTRAINT "star_aliases_star_id_alias_pk" PRIMARY KEY("star_id","alias")
);
--> statement-breakpoint
CREATE TABLE "star_members" (
	"group_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"member_id" integer,
	"names" jsonb NOT NULL,
	"roles" jsonb,
	CONSTRAINT "star_members_group_id_position_pk" PRIMARY KEY("group_id","position")
);
--> statement-breakpoint
CREATE TABLE "star_profiles" (
	"star_id" integer PRIMARY KEY NOT NULL,
	"debut_date" date,
	"birth_date" date,
	"height" smallint,
	"blood_type" text,
	"mbti" text,
	"monthly_listeners" integer,
	"total_album_sales" integer
);
--> statement-breakpoint
CREATE TABLE "star_translations" (
	"star_id" integer NOT NULL,
	"language" text NOT NULL,
	"name" text NOT NULL,
	"agency" text,
	"real_name" text,
	"nationality" text,
	"fandom_name" text,
	"biography" text,
	CONSTRAINT "star_translations_star_id_language_pk" PRIMARY KEY("star_id","language")
);
--> statement-breakpoint
CREATE TABLE "stars" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stars_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"category" text NOT NULL,
	"fandom_color" text NOT NULL,
	"image_url" text,
	"hero_key" text,
	"initials" text NOT NULL,
	"search_text" text NOT NULL,
	"search_key" text GENERATED ALWAYS AS (byeol_fold(search_text)) STORED,
	"follower_count" integer DEFAULT 0 NOT NULL,
	"article_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stars_color" CHECK ("stars"."fandom_color" ~ '^#[0-9A-Fa-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "timeline_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "timeline_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"date" date NOT NULL,
	"type" text NOT NULL,
	"picture_key" text,
	"related_url" text,
	"is_highlight" boolean DEFAULT false NOT NULL,
	"importance" smallint DEFAULT 5 NOT NULL,
	CONSTRAINT "timeline_events_importance" CHECK ("timeline_events"."importance" between 1 and 10)
);
--> statement-breakpoint
CREATE TABLE "timeline_translations" (
	"timeline_event_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	CONSTRAINT "timeline_translations_timeline_event_id_language_pk" PRIMARY KEY("timeline_event_id","language")
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_rewrites" ADD CONSTRAINT "article_rewrites_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_stars" ADD CONSTRAINT "article_stars_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_stars" ADD CONSTRAINT "article_stars_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "articles" ADD CONSTRAINT "articles_picture_key_pictures_key_fk" FOREIGN KEY ("picture_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_translations" ADD CONSTRAINT "embed_translations_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeds" ADD CONSTRAINT "embeds_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeds" ADD CONSTRAINT "embeds_picture_key_pictures_key_fk" FOREIGN KEY ("picture_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_members" ADD CONSTRAINT "channel_members_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_members" ADD CONSTRAINT "channel_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_translations" ADD CONSTRAINT "channel_translations_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_deleted_by_users_id_fk" FOREIGN KEY ("deleted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_category_translations" ADD CONSTRAINT "event_category_translations_category_id_event_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."event_categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_stars" ADD CONSTRAINT "event_stars_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_stars" ADD CONSTRAINT "event_stars_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_subscriptions" ADD CONSTRAINT "event_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_subscriptions" ADD CONSTRAINT "event_subscriptions_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_translations" ADD CONSTRAINT "event_translations_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_category_id_event_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."event_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_primary_star_id_stars_id_fk" FOREIGN KEY ("primary_star_id") REFERENCES "public"."stars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_source_article_id_articles_id_fk" FOREIGN KEY ("source_article_id") REFERENCES "public"."articles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "achievement_translations" ADD CONSTRAINT "achievement_translations_achievement_id_achievements_id_fk" FOREIGN KEY ("achievement_id") REFERENCES "public"."achievements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "achievements" ADD CONSTRAINT "achievements_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "name_table" ADD CONSTRAINT "name_table_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photo_translations" ADD CONSTRAINT "photo_translations_photo_id_photos_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_picture_key_pictures_key_fk" FOREIGN KEY ("picture_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_links" ADD CONSTRAINT "social_links_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_aliases" ADD CONSTRAINT "star_aliases_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_members" ADD CONSTRAINT "star_members_group_id_stars_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_members" ADD CONSTRAINT "star_members_member_id_stars_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."stars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_profiles" ADD CONSTRAINT "star_profiles_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_translations" ADD CONSTRAINT "star_translations_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stars" ADD CONSTRAINT "stars_hero_key_pictures_key_fk" FOREIGN KEY ("hero_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_picture_key_pictures_key_fk" FOREIGN KEY ("picture_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_translations" ADD CONSTRAINT "timeline_translations_timeline_event_id_timeline_events_id_fk" FOREIGN KEY ("timeline_event_id") REFERENCES "public"."timeline_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","subject_id");--> statement-breakpoint
CREATE INDEX "audit_log_time" ON "audit_log" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "follows_star" ON "follows" USING btree ("star_id");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("window_start");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree ("username_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "article_rewrites_search" ON "article_rewrites" USING gin (search_key gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "article_stars_feed" ON "article_stars" USING btree ("star_id","published_at" DESC NULLS LAST,"article_id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "articles_original_url" ON "articles" USING btree ("original_url");--> statement-breakpoint
CREATE INDEX "articles_feed" ON "articles" USING btree ("published_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "articles_category" ON "articles" USING btree ("entertainment_category","published_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "embeds_once" ON "embeds" USING btree ("article_id","platform","embed_id");--> statement-breakpoint
CREATE INDEX "embeds_order" ON "embeds" USING btree ("article_id","position");--> statement-breakpoint
CREATE INDEX "channel_members_user" ON "channel_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "channels_star" ON "channels" USING btree ("star_id");--> statement-breakpoint
CREATE INDEX "channels_popular" ON "channels" USING btree ("member_count" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "channels_latest" ON "channels" USING btree ("last_activity_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "messages_channel" ON "messages" USING btree ("channel_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "messages_once" ON "messages" USING btree ("user_id","client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "event_categories_slug" ON "event_categories" USING btree ("slug");--> statement-breakpoint
CREATE UNIQUE INDEX "event_stars_once" ON "event_stars" USING btree ("event_id","star_id");--> statement-breakpoint
CREATE INDEX "event_stars_star" ON "event_stars" USING btree ("star_id");--> statement-breakpoint
CREATE INDEX "event_subscriptions_event" ON "event_subscriptions" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "event_translations_search" ON "event_translations" USING gin (search_key gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "events_public" ON "events" USING btree ("start_time","id") WHERE verification = 'approved';--> statement-breakpoint
CREATE INDEX "events_primary_star" ON "events" USING btree ("primary_star_id","start_time") WHERE verification = 'approved';--> statement-breakpoint
CREATE INDEX "events_pending" ON "events" USING btree ("created_at","id") WHERE verification = 'pending';--> statement-breakpoint
CREATE INDEX "events_decided" ON "events" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "events_article" ON "events" USING btree ("source_article_id");--> statement-breakpoint
CREATE INDEX "achievements_order" ON "achievements" USING btree ("star_id","award_date" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "name_table_star" ON "name_table" USING btree ("star_id");--> statement-breakpoint
CREATE UNIQUE INDEX "photos_order" ON "photos" USING btree ("star_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "social_links_url" ON "social_links" USING btree ("star_id","profile_url");--> statement-breakpoint
CREATE INDEX "social_links_order" ON "social_links" USING btree ("star_id","is_official" DESC NULLS LAST,"follower_count" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "star_aliases_key" ON "star_aliases" USING btree ("alias_key");--> statement-breakpoint
CREATE INDEX "star_members_member" ON "star_members" USING btree ("member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "stars_slug" ON "stars" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "stars_category" ON "stars" USING btree ("category","article_count" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "stars_popular" ON "stars" USING btree ("article_count" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "stars_search" ON "stars" USING gin (search_key gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "timeline_events_order" ON "timeline_events" USING btree ("star_id","date" DESC NULLS LAST,"id");