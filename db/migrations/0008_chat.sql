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
CREATE UNLOGGED TABLE "open_streams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"process_id" uuid NOT NULL,
	"channel_id" integer NOT NULL,
	"person" bigint NOT NULL,
	"network" text NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "stream_processes" (
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
ALTER TABLE "channels" ADD COLUMN "slow_mode_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "deleted_event_id" bigint;--> statement-breakpoint
ALTER TABLE "channel_mutes" ADD CONSTRAINT "channel_mutes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mutes" ADD CONSTRAINT "channel_mutes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_mutes" ADD CONSTRAINT "channel_mutes_muted_by_users_id_fk" FOREIGN KEY ("muted_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_blocks" ADD CONSTRAINT "user_blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_blocks" ADD CONSTRAINT "user_blocks_blocked_id_users_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "message_reports_once" ON "message_reports" USING btree ("message_id","reporter_id");--> statement-breakpoint
CREATE INDEX "message_reports_list" ON "message_reports" USING btree ("status","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "open_streams_channel" ON "open_streams" USING btree ("channel_id");--> statement-breakpoint
CREATE INDEX "open_streams_person" ON "open_streams" USING btree ("person");--> statement-breakpoint
CREATE INDEX "open_streams_network" ON "open_streams" USING btree ("network");--> statement-breakpoint
CREATE INDEX "open_streams_process" ON "open_streams" USING btree ("process_id");--> statement-breakpoint
CREATE INDEX "messages_author" ON "messages" USING btree ("user_id","channel_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "messages_deletions" ON "messages" USING btree ("channel_id","deleted_event_id") WHERE deleted_event_id is not null;