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
ALTER TABLE "events" ADD COLUMN "schedule_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "calendar_links" ADD CONSTRAINT "calendar_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_changes" ADD CONSTRAINT "event_changes_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_change_id_event_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."event_changes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_links_token" ON "calendar_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "event_changes_unhandled" ON "event_changes" USING btree ("id") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "event_changes_event" ON "event_changes" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "push_subscriptions" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_session" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reminders_once" ON "reminders" USING btree ("user_id","event_id","version","time","channel");--> statement-breakpoint
CREATE INDEX "reminders_due" ON "reminders" USING btree ("next_at") WHERE state in ('planned', 'sending');--> statement-breakpoint
CREATE INDEX "reminders_event" ON "reminders" USING btree ("event_id");--> statement-breakpoint
-- When to remind: minutes and hours before the start by the clock, days and weeks by the calendar of the event's zone, so
-- that "1d" before ten in New York is ten the day before, also when the clocks change between.
CREATE FUNCTION reminder_due(start_time timestamptz, zone text, before text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE right(before, 1)
  WHEN 'm' THEN start_time - make_interval(mins => left(before, -1)::int)
  WHEN 'h' THEN start_time - make_interval(hours => left(before, -1)::int)
  WHEN 'd' THEN (start_time AT TIME ZONE zone - make_interval(days => left(before, -1)::int)) AT TIME ZONE zone
  WHEN 'w' THEN (start_time AT TIME ZONE zone - make_interval(weeks => left(before, -1)::int)) AT TIME ZONE zone
END;
--> statement-breakpoint
-- Decision E7: SEQUENCE and LAST-MODIFIED grow with every change of a public event that a calendar shows, once in a
-- transaction, whichever door it came by. `updated_at = now()` is true only within the transaction that changed it.
CREATE FUNCTION notice_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.verification = 'approved' OR (OLD.verification = 'rejected' AND NEW.verification = 'approved') THEN
    NEW.sequence := CASE WHEN OLD.updated_at = now() THEN OLD.sequence ELSE OLD.sequence + 1 END;
    NEW.updated_at := now();
  END IF;
  -- An event that comes back to its subscribers plans their reminders anew.
  IF OLD.verification = 'approved' OR (NEW.verification = 'approved' AND NEW.rsvp_count > 0) THEN
    IF (NEW.start_time, NEW.zone, NEW.precision, NEW.state, NEW.verification)
      IS DISTINCT FROM (OLD.start_time, OLD.zone, OLD.precision, OLD.state, OLD.verification) THEN
      NEW.schedule_version := OLD.schedule_version + 1;
    END IF;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_noticed BEFORE UPDATE ON events FOR EACH ROW WHEN (
  (OLD.event_type, OLD.category_id, OLD.state, OLD.verification, OLD.start_time, OLD.end_time, OLD.zone, OLD.precision,
    OLD.primary_star_id, OLD.ticket_url, OLD.streaming_url, OLD.official_url, OLD.sequence)
  IS DISTINCT FROM (NEW.event_type, NEW.category_id, NEW.state, NEW.verification, NEW.start_time, NEW.end_time, NEW.zone,
    NEW.precision, NEW.primary_star_id, NEW.ticket_url, NEW.streaming_url, NEW.official_url, NEW.sequence)
) EXECUTE FUNCTION notice_event_change();
--> statement-breakpoint
CREATE FUNCTION record_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_changes (event_id, version, old_start, old_zone, old_precision, old_state, old_verification)
  VALUES (NEW.id, NEW.schedule_version, OLD.start_time, OLD.zone, OLD.precision, OLD.state, OLD.verification);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_rescheduled AFTER UPDATE ON events FOR EACH ROW
WHEN (OLD.schedule_version IS DISTINCT FROM NEW.schedule_version) EXECUTE FUNCTION record_event_change();
--> statement-breakpoint
-- Words and stars are of the event too. What came with the event itself, in one transaction, is no change of it.
CREATE FUNCTION notice_event_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'event_translations' AND TG_OP = 'UPDATE' THEN
    UPDATE events SET sequence = sequence + 1 WHERE verification = 'approved' AND id IN (
      SELECT n.event_id FROM changed n LEFT JOIN was o ON o.event_id = n.event_id AND o.language = n.language
      WHERE (n.title, n.description, n.venue, n.location) IS DISTINCT FROM (o.title, o.description, o.venue, o.location));
  ELSE
    UPDATE events SET sequence = sequence + 1
    WHERE verification = 'approved' AND xmin <> pg_current_xact_id()::xid AND id IN (SELECT event_id FROM changed);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER event_words_added AFTER INSERT ON event_translations REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE TRIGGER event_words_changed AFTER UPDATE ON event_translations REFERENCING OLD TABLE AS was NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE TRIGGER event_words_removed AFTER DELETE ON event_translations REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE TRIGGER event_stars_added AFTER INSERT ON event_stars REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE TRIGGER event_stars_removed AFTER DELETE ON event_stars REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
