-- Messages, the audit log and views of events become partitioned (decision D13). Nothing is rewritten: each table becomes the first
-- partition of a new one of its name. db/partitions/prove.ts has shown before that its ids end below the bound, so that PostgreSQL
-- believes it and reads no row.
-- In the order in which messages are sent and events seen, so that nobody waits for somebody who waits for us.
LOCK TABLE "channels" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "events" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "users" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "messages" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "message_reports" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "event_views" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
LOCK TABLE "audit_log" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "message_keys" (
	"user_id" integer NOT NULL,
	"client_id" text NOT NULL,
	"message_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_keys_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);--> statement-breakpoint
-- Who sends again what he sent before this still finds it. No more than are copied in a moment.
INSERT INTO "message_keys" ("user_id", "client_id", "message_id", "created_at")
SELECT "user_id", "client_id", "id", "created_at" FROM (SELECT * FROM "messages" ORDER BY "id" DESC LIMIT 100000) AS "newest"
WHERE "client_id" IS NOT NULL AND "created_at" > now() - interval '7 days';--> statement-breakpoint
CREATE INDEX "message_keys_age" ON "message_keys" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "last_deletion_id" bigint;--> statement-breakpoint
UPDATE "channels" SET "last_deletion_id" = "newest"."id"
FROM (SELECT "channel_id", max("deleted_event_id") AS "id" FROM "messages" WHERE "deleted_event_id" IS NOT NULL GROUP BY "channel_id") AS "newest"
WHERE "channels"."id" = "newest"."channel_id";--> statement-breakpoint
DROP INDEX "messages_once";--> statement-breakpoint
ALTER TABLE "message_reports" DROP CONSTRAINT "message_reports_message_id_messages_id_fk";--> statement-breakpoint
ALTER TABLE "messages" RENAME TO "messages_first";--> statement-breakpoint
ALTER INDEX "messages_pkey" RENAME TO "messages_first_pkey";--> statement-breakpoint
ALTER INDEX "messages_channel" RENAME TO "messages_first_channel";--> statement-breakpoint
ALTER INDEX "messages_author" RENAME TO "messages_first_author";--> statement-breakpoint
ALTER INDEX "messages_deletions" RENAME TO "messages_first_deletions";--> statement-breakpoint
ALTER TABLE "audit_log" RENAME TO "audit_log_first";--> statement-breakpoint
ALTER INDEX "audit_log_pkey" RENAME TO "audit_log_first_pkey";--> statement-breakpoint
ALTER INDEX "audit_log_subject" RENAME TO "audit_log_first_subject";--> statement-breakpoint
ALTER INDEX "audit_log_time" RENAME TO "audit_log_first_time";--> statement-breakpoint
ALTER TABLE "event_views" RENAME TO "event_views_rest";--> statement-breakpoint
ALTER INDEX "event_views_event_id_day_visitor_pk" RENAME TO "event_views_rest_pk";--> statement-breakpoint
ALTER INDEX "event_views_day" RENAME TO "event_views_rest_day";--> statement-breakpoint
DROP TRIGGER "event_views_felt" ON "event_views_rest";--> statement-breakpoint
DO $$
DECLARE
  given bigint := coalesce(pg_sequence_last_value('messages_id_seq'), 0);
  decided bigint := coalesce(pg_sequence_last_value('audit_log_id_seq'), 0);
  message_bound bigint := coalesce((SELECT substring(pg_get_constraintdef(oid) FROM '\d+')::bigint FROM pg_constraint
    WHERE conrelid = 'messages_first'::regclass AND conname = 'messages_bound'), given + 4000000);
  decision_bound bigint := coalesce((SELECT substring(pg_get_constraintdef(oid) FROM '\d+')::bigint FROM pg_constraint
    WHERE conrelid = 'audit_log_first'::regclass AND conname = 'audit_log_bound'), decided + 1000000);
BEGIN
  -- A partition may not number by itself.
  ALTER TABLE messages_first ALTER COLUMN id DROP IDENTITY;
  CREATE TABLE messages (
    id bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME messages_id_seq),
    channel_id integer NOT NULL,
    user_id integer NOT NULL,
    client_id text,
    content text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    deleted_by integer,
    deleted_event_id bigint,
    CONSTRAINT messages_pkey PRIMARY KEY (id),
    CONSTRAINT messages_length CHECK (char_length(content) BETWEEN 1 AND 500),
    CONSTRAINT messages_channel_id_channels_id_fk FOREIGN KEY (channel_id) REFERENCES channels (id) ON DELETE CASCADE,
    CONSTRAINT messages_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT messages_deleted_by_users_id_fk FOREIGN KEY (deleted_by) REFERENCES users (id)
  ) PARTITION BY RANGE (id);
  CREATE INDEX messages_channel ON messages (channel_id, id DESC NULLS FIRST);
  CREATE INDEX messages_author ON messages (user_id, channel_id, id DESC NULLS FIRST);
  CREATE INDEX messages_deletions ON messages (channel_id, deleted_event_id) WHERE deleted_event_id IS NOT NULL;
  EXECUTE format('ALTER TABLE messages ATTACH PARTITION messages_first FOR VALUES FROM (MINVALUE) TO (%s)', message_bound);
  ALTER TABLE messages_first DROP CONSTRAINT IF EXISTS messages_bound;
  IF given > 0 THEN PERFORM setval('messages_id_seq', given); END IF;

  ALTER TABLE audit_log_first ALTER COLUMN id DROP IDENTITY;
  CREATE TABLE audit_log (
    id integer GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME audit_log_id_seq),
    actor_id integer,
    action text NOT NULL,
    subject text NOT NULL,
    subject_id integer,
    notes text,
    details jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT audit_log_pkey PRIMARY KEY (id),
    CONSTRAINT audit_log_actor_id_users_id_fk FOREIGN KEY (actor_id) REFERENCES users (id) ON DELETE SET NULL
  ) PARTITION BY RANGE (id);
  CREATE INDEX audit_log_subject ON audit_log (subject, subject_id);
  CREATE INDEX audit_log_time ON audit_log (created_at DESC NULLS FIRST);
  EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION audit_log_first FOR VALUES FROM (MINVALUE) TO (%s)', decision_bound);
  ALTER TABLE audit_log_first DROP CONSTRAINT IF EXISTS audit_log_bound;
  IF decided > 0 THEN PERFORM setval('audit_log_id_seq', decided); END IF;

  -- What there is, and what a day without a partition of its own brings, is the rest.
  CREATE TABLE event_views (
    event_id integer NOT NULL,
    day date NOT NULL,
    visitor bytea NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT event_views_event_id_day_visitor_pk PRIMARY KEY (event_id, day, visitor),
    CONSTRAINT event_views_event_id_events_id_fk FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE
  ) PARTITION BY RANGE (day);
  CREATE INDEX event_views_day ON event_views (day);
  ALTER TABLE event_views ATTACH PARTITION event_views_rest DEFAULT;
END $$;--> statement-breakpoint
ALTER TABLE "message_reports" ADD CONSTRAINT "message_reports_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_views_felt AFTER INSERT ON event_views REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_views();--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_message_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE channels SET last_deletion_id = newest.id
  FROM (SELECT channel_id, max(deleted_event_id) AS id FROM changed WHERE deleted_event_id IS NOT NULL GROUP BY channel_id) newest
  WHERE channels.id = newest.channel_id AND newest.id > coalesce(channels.last_deletion_id, 0);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER messages_deletions_noted AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION note_message_deletions();--> statement-breakpoint
CREATE OR REPLACE FUNCTION byeol_store_messages(given jsonb, account_count int, account_seconds int, call_count int,
  call_seconds int)
  RETURNS TABLE (place int, channel_id int, verdict text, seconds int, message_id bigint, created_at timestamptz,
    next_at timestamptz, previous_event bigint, username text, display_name text, profile_image_url text, role text)
  LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Null where no channel is slow: then the partitions of messages are not even opened to look for the sender's last one.
  slow_from bigint;
BEGIN
  -- In the order of their ids, so that two processes cannot wait for each other.
  SELECT 0 INTO slow_from FROM (
    SELECT slow_mode_seconds FROM channels WHERE star_id IN (SELECT (s->>'starId')::int FROM jsonb_array_elements(given) s)
    ORDER BY id FOR NO KEY UPDATE) locked
  HAVING bool_or(slow_mode_seconds > 0);
  -- A statement of its own: it sees what the holders of the locks before us have committed.
  RETURN QUERY
  WITH input AS (
    SELECT i.*, c.id AS channel, c.slow_mode_seconds AS slow, c.last_deletion_id AS deletion
    FROM jsonb_to_recordset(given) AS i(place int, "starId" int, "userId" int, "clientId" text, content text)
    JOIN channels c ON c.star_id = i."starId"),
  before AS MATERIALIZED (
    SELECT touched.id, greatest(touched.deletion,
      coalesce((SELECT m.id FROM messages m WHERE m.channel_id = touched.id ORDER BY m.id DESC LIMIT 1), 0)) AS event
    FROM (SELECT DISTINCT channel AS id, deletion FROM input) touched),
  judged AS MATERIALIZED (
    SELECT i.place, i.channel, i.slow, u.id AS user_id, i."clientId" AS client_id, i.content,
      u.username, u.display_name, u.profile_image_url, u.role, known.id AS known_id, known.created_at AS known_at,
      mute.until AS muted_until, newest.created_at + make_interval(secs => i.slow) AS next_at,
      CASE WHEN known.channel_id = i.channel AND known.content = i.content THEN 'known'
        WHEN sent.message_id IS NOT NULL THEN 'key_reused'
        WHEN member.user_id IS NULL OR u.deleted_at IS NOT NULL THEN 'not_member'
        WHEN mute.until > clock_timestamp() THEN 'muted'
        WHEN newest.created_at + make_interval(secs => i.slow) > clock_timestamp() THEN 'slow_mode' END AS verdict
    FROM input i JOIN users u ON u.id = i."userId"
    LEFT JOIN message_keys sent ON sent.user_id = i."userId" AND sent.client_id = i."clientId"
    LEFT JOIN messages known ON known.id = sent.message_id
    LEFT JOIN channel_members member ON member.channel_id = i.channel AND member.user_id = i."userId"
    LEFT JOIN channel_mutes mute ON mute.channel_id = i.channel AND mute.user_id = i."userId"
    LEFT JOIN LATERAL (SELECT m.created_at FROM messages m WHERE i.slow > 0 AND u.role = 'user' AND m.user_id = i."userId"
      AND m.channel_id = i.channel AND m.id >= slow_from ORDER BY m.id DESC LIMIT 1) newest ON true),
  -- Every call counts, whatever comes of it; only what may be stored counts for the tighter limit, so that a repeat costs little.
  calls AS (
    SELECT 'message:account:' || user_id AS key, account_seconds AS length, 1 AS calls FROM judged WHERE verdict IS NULL
    UNION ALL SELECT 'message:call:' || user_id, call_seconds, 1 FROM judged),
  counted AS (
    INSERT INTO rate_limits AS r (key, window_start, count)
    SELECT key, to_timestamp(floor(extract(epoch FROM now()) / length) * length), calls FROM calls ORDER BY 1
    ON CONFLICT (key, window_start) DO UPDATE SET count = r.count + excluded.count
    RETURNING key, count, window_start),
  rated AS MATERIALIZED (
    SELECT j.*,
      CASE WHEN by_call.count > call_count OR by_account.count > account_count THEN 'rate_limited' ELSE j.verdict END AS finding,
      greatest(1, ceil(CASE WHEN by_call.count > call_count
        THEN extract(epoch FROM by_call.window_start - now()) + call_seconds
        ELSE extract(epoch FROM by_account.window_start - now()) + account_seconds END))::int AS window_seconds
    FROM judged j
    JOIN counted by_call ON by_call.key = 'message:call:' || j.user_id
    LEFT JOIN counted by_account ON by_account.key = 'message:account:' || j.user_id),
  numbered AS MATERIALIZED (
    SELECT next.*, nextval('messages_id_seq') AS id, clock_timestamp() AS at
    FROM (SELECT channel, user_id, client_id, content FROM rated WHERE finding IS NULL ORDER BY place) next),
  -- The unique key is that of a table of its own, because messages are partitioned by their ids (decision D13).
  keyed AS (
    INSERT INTO message_keys (user_id, client_id, message_id, created_at)
    SELECT user_id, client_id, id, at FROM numbered WHERE client_id IS NOT NULL
    ON CONFLICT (user_id, client_id) DO NOTHING
    RETURNING message_id),
  stored AS (
    INSERT INTO messages (id, channel_id, user_id, client_id, content, created_at) OVERRIDING SYSTEM VALUE
    SELECT id, channel, user_id, client_id, content, at FROM numbered
    WHERE client_id IS NULL OR id IN (SELECT message_id FROM keyed)
    RETURNING id, channel_id, user_id, created_at),
  moved AS (
    UPDATE channels SET last_activity_at = newest.at
    FROM (SELECT channel_id, max(created_at) AS at FROM stored GROUP BY channel_id) newest
    WHERE channels.id = newest.channel_id)
  SELECT r.place, r.channel, coalesce(r.finding, CASE WHEN new.id IS NULL THEN 'again' ELSE 'stored' END),
    CASE r.finding WHEN 'rate_limited' THEN r.window_seconds
      WHEN 'muted' THEN greatest(1, ceil(extract(epoch FROM r.muted_until - clock_timestamp())))::int
      WHEN 'slow_mode' THEN greatest(1, ceil(extract(epoch FROM r.next_at - clock_timestamp())))::int ELSE 0 END,
    coalesce(new.id, CASE WHEN r.finding = 'known' THEN r.known_id END),
    coalesce(new.created_at, CASE WHEN r.finding = 'known' THEN r.known_at END),
    CASE WHEN r.slow > 0 AND r.role = 'user' THEN
      coalesce(new.created_at, CASE WHEN r.finding = 'known' THEN r.known_at END) + make_interval(secs => r.slow) END,
    b.event, r.username, r.display_name, r.profile_image_url, r.role
  FROM rated r JOIN before b ON b.id = r.channel
  LEFT JOIN stored new ON new.user_id = r.user_id;
END $$;
