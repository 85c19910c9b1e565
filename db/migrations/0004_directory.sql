CREATE TABLE "account_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"email_key" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_tokens_kind" CHECK ("account_tokens"."kind" in ('reset', 'verify'))
);
--> statement-breakpoint
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
CREATE TABLE "idempotency_keys" (
	"user_id" integer NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
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
	"reading_time" smallint GENERATED ALWAYS AS (greatest(1, ceil(char_length(content) / 1000.0))) STORED NOT NULL,
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
	"reading_time" smallint GENERATED ALWAYS AS (greatest(1, ceil(char_length(original_content) / 1000.0))) STORED NOT NULL,
	"original_published_at" timestamp with time zone NOT NULL,
	"model" text,
	"prompt_version" text,
	"reviewer" jsonb,
	"published_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"amended_at" timestamp with time zone
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
CREATE TABLE "channel_mutes" (
	"channel_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"reason" text,
	"muted_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "channel_mutes_channel_id_user_id_pk" PRIMARY KEY("channel_id","user_id")
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
	"slow_mode_seconds" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_reports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "message_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" bigint NOT NULL,
	"reporter_id" integer NOT NULL,
	"reason" text NOT NULL,
	"details" text,
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" integer,
	"notes" text,
	CONSTRAINT "message_reports_status" CHECK ("message_reports"."status" in ('open', 'removed', 'dismissed'))
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
	"deleted_event_id" bigint,
	CONSTRAINT "messages_length" CHECK (char_length("messages"."content") between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "open_streams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"process_id" uuid NOT NULL,
	"channel_id" integer NOT NULL,
	"person" bigint NOT NULL,
	"network" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stream_processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_blocks" (
	"user_id" integer NOT NULL,
	"blocked_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_blocks_user_id_blocked_id_pk" PRIMARY KEY("user_id","blocked_id"),
	CONSTRAINT "user_blocks_others" CHECK ("user_blocks"."user_id" <> "user_blocks"."blocked_id")
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
CREATE TABLE "event_interest" (
	"event_id" integer PRIMARY KEY NOT NULL,
	"heat" double precision NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"subscriptions" integer DEFAULT 0 NOT NULL,
	"going" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_views" (
	"event_id" integer NOT NULL,
	"day" date NOT NULL,
	"visitor" "bytea" NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "event_views_event_id_day_visitor_pk" PRIMARY KEY("event_id","day","visitor")
);
--> statement-breakpoint
CREATE TABLE "view_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL
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
	"role" text DEFAULT 'performer' NOT NULL,
	"start_time" timestamp with time zone DEFAULT now() NOT NULL
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
	"over_at" timestamp with time zone GENERATED ALWAYS AS (coalesce(end_time, case when precision = 'day'
  then (start_time at time zone zone + interval '1 day') at time zone zone
  else (start_time at time zone 'UTC' + interval '1 minute' * case event_type when 'comeback' then 60 when 'concert' then 150 when 'fan_meeting' then 120 when 'tv_show' then 80 when 'award_show' then 240 when 'streaming' then 60 when 'birthday' then 1440 when 'anniversary' then 1440 when 'release' then 60 when 'other' then 120 else 120 end) at time zone 'UTC' end)) STORED,
	"zone" text DEFAULT 'Asia/Seoul' NOT NULL,
	"precision" text DEFAULT 'minute' NOT NULL,
	"anniversary_of" integer,
	"anniversary_fact" text,
	"anniversary_year" smallint,
	"capacity" integer,
	"rsvp_count" integer DEFAULT 0 NOT NULL,
	"primary_star_id" integer,
	"source_article_id" integer,
	"ticket_url" text,
	"streaming_url" text,
	"official_url" text,
	"extraction_confidence" smallint,
	"extraction_key" text,
	"update_of_id" integer,
	"checks" jsonb,
	"evidence" jsonb,
	"decided_at" timestamp with time zone,
	"decided_by" integer,
	"decision_notes" text,
	"merged_into_id" integer,
	"sequence" integer DEFAULT 0 NOT NULL,
	"schedule_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_order" CHECK ("events"."end_time" is null or "events"."end_time" >= "events"."start_time"),
	CONSTRAINT "events_confidence" CHECK ("events"."extraction_confidence" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"key" text PRIMARY KEY NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "pictures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"art" jsonb,
	"source_url" text,
	"upload_hash" text,
	"width" integer,
	"height" integer,
	"focus_x" real,
	"focus_y" real,
	"alt" jsonb,
	"credit" text,
	"licence" text,
	"credit_url" text,
	"taken_at" text,
	"uploaded_by" integer,
	"withdrawn_at" timestamp with time zone,
	"withdrawal_reason" text,
	"aspect" text DEFAULT '3:2' NOT NULL,
	"placeholder" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_source" CHECK (num_nonnulls("pictures"."art", "pictures"."source_url", "pictures"."upload_hash") = 1),
	CONSTRAINT "pictures_focus" CHECK ("pictures"."focus_x" between 0 and 1 and "pictures"."focus_y" between 0 and 1)
);
--> statement-breakpoint
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
	"step_since" timestamp with time zone DEFAULT now() NOT NULL,
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
CREATE TABLE "calendar_links" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_changes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"event_id" integer NOT NULL,
	"version" integer NOT NULL,
	"old_start" timestamp with time zone NOT NULL,
	"old_zone" text NOT NULL,
	"old_precision" text NOT NULL,
	"old_state" text NOT NULL,
	"old_verification" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"session_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reminders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"event_id" integer NOT NULL,
	"version" integer NOT NULL,
	"time" text NOT NULL,
	"channel" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"devices" integer[] DEFAULT '{}' NOT NULL,
	"change_id" integer
);
--> statement-breakpoint
CREATE TABLE "achievement_translations" (
	"achievement_id" integer NOT NULL,
	"language" text NOT NULL,
	"achievement" text NOT NULL,
	"award_name" text NOT NULL,
	"award_category" text,
	"organisation" text,
	"work_title" text,
	CONSTRAINT "achievement_translations_achievement_id_language_pk" PRIMARY KEY("achievement_id","language")
);
--> statement-breakpoint
CREATE TABLE "achievements" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "achievements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"star_id" integer NOT NULL,
	"award_date" text NOT NULL,
	"result" text NOT NULL,
	"source" jsonb,
	CONSTRAINT "achievements_date" CHECK ("achievements"."award_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$')
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
	"taken_at" text,
	"view_count" integer DEFAULT 0 NOT NULL,
	"like_count" integer DEFAULT 0 NOT NULL,
	"is_official_photo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "photos_taken" CHECK ("photos"."taken_at" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$')
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
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"source" jsonb
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
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "star_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"group_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"member_id" integer,
	"names" jsonb NOT NULL,
	"roles" jsonb,
	"since" text,
	"until" text,
	"is_former" boolean DEFAULT false NOT NULL,
	"source" jsonb,
	CONSTRAINT "star_members_since" CHECK ("star_members"."since" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'),
	CONSTRAINT "star_members_until" CHECK ("star_members"."until" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$')
);
--> statement-breakpoint
CREATE TABLE "star_profiles" (
	"star_id" integer PRIMARY KEY NOT NULL,
	"debut_date" text,
	"birth_date" text,
	"activity" text DEFAULT 'active' NOT NULL,
	"end_date" text,
	"parent_id" integer,
	"height" smallint,
	"blood_type" text,
	"mbti" text,
	"monthly_listeners" integer,
	"total_album_sales" integer,
	CONSTRAINT "star_profiles_debut" CHECK ("star_profiles"."debut_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'),
	CONSTRAINT "star_profiles_birth" CHECK ("star_profiles"."birth_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'),
	CONSTRAINT "star_profiles_end" CHECK ("star_profiles"."end_date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$')
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
	"mark_style" text DEFAULT 'first' NOT NULL,
	"avatar_key" text,
	"hero_key" text,
	"hidden_at" timestamp with time zone,
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
	"date" text NOT NULL,
	"type" text NOT NULL,
	"picture_key" text,
	"related_url" text,
	"is_highlight" boolean DEFAULT false NOT NULL,
	"importance" smallint DEFAULT 5 NOT NULL,
	"source" jsonb,
	CONSTRAINT "timeline_events_date" CHECK ("timeline_events"."date" ~ '^(18|19|20)[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'),
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
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "channel_mutes" ADD CONSTRAINT "channel_mutes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mutes" ADD CONSTRAINT "channel_mutes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mutes" ADD CONSTRAINT "channel_mutes_muted_by_users_id_fk" FOREIGN KEY ("muted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_translations" ADD CONSTRAINT "channel_translations_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_deleted_by_users_id_fk" FOREIGN KEY ("deleted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_blocks" ADD CONSTRAINT "user_blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_blocks" ADD CONSTRAINT "user_blocks_blocked_id_users_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_external_ids" ADD CONSTRAINT "star_external_ids_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_facts" ADD CONSTRAINT "star_facts_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_offers" ADD CONSTRAINT "star_offers_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_redirects" ADD CONSTRAINT "star_redirects_into_id_stars_id_fk" FOREIGN KEY ("into_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_revisions" ADD CONSTRAINT "star_revisions_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_revisions" ADD CONSTRAINT "star_revisions_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_interest" ADD CONSTRAINT "event_interest_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_views" ADD CONSTRAINT "event_views_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_category_translations" ADD CONSTRAINT "event_category_translations_category_id_event_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."event_categories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_stars" ADD CONSTRAINT "event_stars_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_stars" ADD CONSTRAINT "event_stars_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_subscriptions" ADD CONSTRAINT "event_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_subscriptions" ADD CONSTRAINT "event_subscriptions_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_translations" ADD CONSTRAINT "event_translations_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_category_id_event_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."event_categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_anniversary_of_stars_id_fk" FOREIGN KEY ("anniversary_of") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_primary_star_id_stars_id_fk" FOREIGN KEY ("primary_star_id") REFERENCES "public"."stars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_source_article_id_articles_id_fk" FOREIGN KEY ("source_article_id") REFERENCES "public"."articles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_update_of_id_events_id_fk" FOREIGN KEY ("update_of_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_merged_into_id_events_id_fk" FOREIGN KEY ("merged_into_id") REFERENCES "public"."events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "calendar_links" ADD CONSTRAINT "calendar_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_changes" ADD CONSTRAINT "event_changes_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_change_id_event_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."event_changes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "star_profiles" ADD CONSTRAINT "star_profiles_parent_id_stars_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."stars"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "star_translations" ADD CONSTRAINT "star_translations_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stars" ADD CONSTRAINT "stars_avatar_key_pictures_key_fk" FOREIGN KEY ("avatar_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stars" ADD CONSTRAINT "stars_hero_key_pictures_key_fk" FOREIGN KEY ("hero_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_picture_key_pictures_key_fk" FOREIGN KEY ("picture_key") REFERENCES "public"."pictures"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_translations" ADD CONSTRAINT "timeline_translations_timeline_event_id_timeline_events_id_fk" FOREIGN KEY ("timeline_event_id") REFERENCES "public"."timeline_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_tokens_user" ON "account_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_tokens_expiry" ON "account_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","subject_id");--> statement-breakpoint
CREATE INDEX "audit_log_time" ON "audit_log" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "follows_star" ON "follows" USING btree ("star_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("window_start");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree ("username_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "article_rewrites_search" ON "article_rewrites" USING gin ((article_id / 512),(article_id / 4096),(article_id / 32768),search_key gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "article_stars_feed" ON "article_stars" USING btree ("star_id","published_at" DESC NULLS FIRST,"article_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "articles_original_url" ON "articles" USING btree ("original_url");--> statement-breakpoint
CREATE INDEX "articles_feed" ON "articles" USING btree ("published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "articles_category" ON "articles" USING btree ("entertainment_category","published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "embeds_once" ON "embeds" USING btree ("article_id","platform","embed_id");--> statement-breakpoint
CREATE INDEX "embeds_order" ON "embeds" USING btree ("article_id","position");--> statement-breakpoint
CREATE INDEX "channel_members_user" ON "channel_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "channels_star" ON "channels" USING btree ("star_id");--> statement-breakpoint
CREATE INDEX "channels_popular" ON "channels" USING btree ("member_count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "channels_latest" ON "channels" USING btree ("last_activity_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE UNIQUE INDEX "message_reports_once" ON "message_reports" USING btree ("message_id","reporter_id");--> statement-breakpoint
CREATE INDEX "message_reports_list" ON "message_reports" USING btree ("status","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "messages_channel" ON "messages" USING btree ("channel_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "messages_author" ON "messages" USING btree ("user_id","channel_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "messages_deletions" ON "messages" USING btree ("channel_id","deleted_event_id") WHERE deleted_event_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "messages_once" ON "messages" USING btree ("user_id","client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE INDEX "open_streams_channel" ON "open_streams" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "open_streams_person" ON "open_streams" USING btree ("person");--> statement-breakpoint
CREATE INDEX "open_streams_network" ON "open_streams" USING btree ("network");--> statement-breakpoint
CREATE INDEX "open_streams_process" ON "open_streams" USING btree ("process_id");--> statement-breakpoint
CREATE INDEX "star_external_ids_star" ON "star_external_ids" USING btree ("star_id");--> statement-breakpoint
CREATE UNIQUE INDEX "star_offers_once" ON "star_offers" USING btree ("star_id","field",(source ->> 'name'));--> statement-breakpoint
CREATE INDEX "star_redirects_into" ON "star_redirects" USING btree ("into_id");--> statement-breakpoint
CREATE INDEX "event_interest_heat" ON "event_interest" USING btree ("heat" DESC NULLS FIRST,"event_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "event_views_day" ON "event_views" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "event_categories_slug" ON "event_categories" USING btree ("slug");--> statement-breakpoint
CREATE UNIQUE INDEX "event_stars_once" ON "event_stars" USING btree ("event_id","star_id");--> statement-breakpoint
CREATE INDEX "event_stars_next" ON "event_stars" USING btree ("star_id","start_time","event_id");--> statement-breakpoint
CREATE INDEX "event_subscriptions_event" ON "event_subscriptions" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "event_translations_search" ON "event_translations" USING gin (search_key gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "events_calendar" ON "events" USING btree ("start_time","id","category_id","primary_star_id","over_at","precision","zone") WHERE verification = 'approved';--> statement-breakpoint
CREATE INDEX "events_span" ON "events" USING gist (tstzrange(start_time, over_at)) WHERE verification = 'approved';--> statement-breakpoint
CREATE INDEX "events_primary_star" ON "events" USING btree ("primary_star_id","start_time") WHERE verification = 'approved';--> statement-breakpoint
CREATE INDEX "events_pending" ON "events" USING btree ("created_at","id") WHERE verification = 'pending';--> statement-breakpoint
CREATE INDEX "events_decided" ON "events" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "events_article" ON "events" USING btree ("source_article_id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_anniversary" ON "events" USING btree ("anniversary_of","anniversary_fact","anniversary_year");--> statement-breakpoint
CREATE UNIQUE INDEX "events_extraction" ON "events" USING btree ("extraction_key");--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_id" ON "pictures" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_upload" ON "pictures" USING btree ("upload_hash");--> statement-breakpoint
CREATE INDEX "pictures_library" ON "pictures" USING btree ("created_at" DESC NULLS FIRST) WHERE upload_hash is not null;--> statement-breakpoint
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
CREATE UNIQUE INDEX "calendar_links_token" ON "calendar_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "event_changes_unhandled" ON "event_changes" USING btree ("id") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "event_changes_event" ON "event_changes" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "push_subscriptions" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reminders_once" ON "reminders" USING btree ("user_id","event_id","version","time","channel");--> statement-breakpoint
CREATE INDEX "reminders_due" ON "reminders" USING btree ("next_at") WHERE state in ('planned', 'sending');--> statement-breakpoint
CREATE INDEX "reminders_event" ON "reminders" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "achievements_order" ON "achievements" USING btree ("star_id","award_date" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "name_table_star" ON "name_table" USING btree ("star_id");--> statement-breakpoint
CREATE INDEX "photos_order" ON "photos" USING btree ("star_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "social_links_url" ON "social_links" USING btree ("star_id","profile_url");--> statement-breakpoint
CREATE INDEX "social_links_order" ON "social_links" USING btree ("star_id","is_official" DESC NULLS FIRST,"follower_count" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "star_aliases_key" ON "star_aliases" USING btree ("alias_key");--> statement-breakpoint
CREATE INDEX "star_members_order" ON "star_members" USING btree ("group_id","position");--> statement-breakpoint
CREATE INDEX "star_members_member" ON "star_members" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "star_profiles_parent" ON "star_profiles" USING btree ("parent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "stars_slug" ON "stars" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "stars_category" ON "stars" USING btree ("category","article_count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "stars_popular" ON "stars" USING btree ("article_count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "stars_search" ON "stars" USING gin (search_key gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "stars_search_joined" ON "stars" USING gin (replace(search_key, ' ', '') gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "timeline_events_order" ON "timeline_events" USING btree ("star_id","date" DESC NULLS FIRST,"id");