CREATE TABLE "ai_calls" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"purpose" text NOT NULL,
	"story_id" integer,
	"language" text,
	"model" text NOT NULL,
	"prompt_version" text NOT NULL,
	"outcome" text DEFAULT 'open' NOT NULL,
	"error" text,
	"reserved_tokens" integer NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost" numeric(12, 6),
	"milliseconds" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "article_corrections" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "article_corrections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"article_id" integer NOT NULL,
	"kind" text NOT NULL,
	"note" jsonb,
	"editor_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crawl_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"robots" text,
	"robots_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "items" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source_id" integer NOT NULL,
	"stage" text DEFAULT 'collected' NOT NULL,
	"story_id" integer,
	"url" text NOT NULL,
	"canonical_url" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"text_origin" text DEFAULT 'feed' NOT NULL,
	"digest" text NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "newsroom_failures" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "newsroom_failures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stage" text NOT NULL,
	"item_id" integer,
	"story_id" integer,
	"error" text NOT NULL,
	"attempts" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replayed_at" timestamp with time zone,
	"replayed_by" integer
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"outlet" text NOT NULL,
	"feed_url" text NOT NULL,
	"source_language" text DEFAULT 'ko' NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"full_text" boolean DEFAULT true NOT NULL,
	"interval_minutes" integer DEFAULT 15 NOT NULL,
	"etag" text,
	"last_modified" text,
	"next_fetch_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_fetched_at" timestamp with time zone,
	"last_success_at" timestamp with time zone,
	"last_error_at" timestamp with time zone,
	"last_error" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sources_interval" CHECK ("sources"."interval_minutes" between 1 and 1440)
);
--> statement-breakpoint
CREATE TABLE "stories" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stage" text DEFAULT 'new' NOT NULL,
	"reason" text,
	"details" text,
	"article_id" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"event_stage" text DEFAULT 'none' NOT NULL,
	"event_attempts" integer DEFAULT 0 NOT NULL,
	"source_changed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "story_drafts" (
	"story_id" integer NOT NULL,
	"language" text NOT NULL,
	"title" text NOT NULL,
	"summary" text NOT NULL,
	"content" text NOT NULL,
	"model" text,
	"prompt_version" text,
	"author_id" integer,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "story_drafts_story_id_language_pk" PRIMARY KEY("story_id","language")
);
--> statement-breakpoint
CREATE TABLE "story_stars" (
	"story_id" integer NOT NULL,
	"star_id" integer NOT NULL,
	"position" integer NOT NULL,
	"score" integer NOT NULL,
	CONSTRAINT "story_stars_story_id_star_id_pk" PRIMARY KEY("story_id","star_id")
);
--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "prompt_version" text;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "amended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "extraction_key" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "update_of_id" integer;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "checks" jsonb;--> statement-breakpoint
ALTER TABLE "ai_calls" ADD CONSTRAINT "ai_calls_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_corrections" ADD CONSTRAINT "article_corrections_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_corrections" ADD CONSTRAINT "article_corrections_editor_id_users_id_fk" FOREIGN KEY ("editor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsroom_failures" ADD CONSTRAINT "newsroom_failures_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsroom_failures" ADD CONSTRAINT "newsroom_failures_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsroom_failures" ADD CONSTRAINT "newsroom_failures_replayed_by_users_id_fk" FOREIGN KEY ("replayed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sources" ADD CONSTRAINT "sources_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stories" ADD CONSTRAINT "stories_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_drafts" ADD CONSTRAINT "story_drafts_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_drafts" ADD CONSTRAINT "story_drafts_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_stars" ADD CONSTRAINT "story_stars_story_id_stories_id_fk" FOREIGN KEY ("story_id") REFERENCES "public"."stories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "story_stars" ADD CONSTRAINT "story_stars_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_calls_time" ON "ai_calls" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "ai_calls_story" ON "ai_calls" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "article_corrections_article" ON "article_corrections" USING btree ("article_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "items_canonical" ON "items" USING btree ("canonical_url");--> statement-breakpoint
CREATE INDEX "items_story" ON "items" USING btree ("story_id");--> statement-breakpoint
CREATE INDEX "items_source" ON "items" USING btree ("source_id","created_at");--> statement-breakpoint
CREATE INDEX "items_open" ON "items" USING btree ("next_try_at") WHERE stage <> 'grouped';--> statement-breakpoint
CREATE INDEX "items_time" ON "items" USING btree ("published_at");--> statement-breakpoint
CREATE UNIQUE INDEX "newsroom_failures_open_story" ON "newsroom_failures" USING btree ("stage","story_id") WHERE replayed_at is null;--> statement-breakpoint
CREATE INDEX "newsroom_failures_time" ON "newsroom_failures" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "sources_feed" ON "sources" USING btree ("feed_url");--> statement-breakpoint
CREATE INDEX "sources_due" ON "sources" USING btree ("next_fetch_at") WHERE state = 'active';--> statement-breakpoint
CREATE INDEX "stories_stage" ON "stories" USING btree ("stage","next_try_at");--> statement-breakpoint
CREATE INDEX "stories_events" ON "stories" USING btree ("next_try_at") WHERE event_stage = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "stories_article" ON "stories" USING btree ("article_id");--> statement-breakpoint
CREATE INDEX "story_stars_star" ON "story_stars" USING btree ("star_id");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_update_of_id_events_id_fk" FOREIGN KEY ("update_of_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "events_extraction" ON "events" USING btree ("extraction_key");