-- Stores messages of different people in one trip (decision D5): the chat sends little but often, and each trip to the database
-- costs a busy process as much as a message. The limits are counted by the same statement for that reason. Called by
-- storeMessages of db/queries/community/sending.ts, which says what it promises.
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
