-- The functions and triggers of db/functions, whose files say why each exists.
CREATE OR REPLACE FUNCTION byeol_store_messages(given jsonb, account_count int, account_seconds int, network_count int,
  network_seconds int)
  RETURNS TABLE (place int, channel_id int, verdict text, seconds int, message_id bigint, created_at timestamptz,
    next_at timestamptz, previous_event bigint, username text, display_name text, profile_image_url text, role text)
  LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- In the order of their ids, so that two processes cannot wait for each other.
  PERFORM FROM channels WHERE star_id IN (SELECT (s->>'starId')::int FROM jsonb_array_elements(given) s)
    ORDER BY id FOR NO KEY UPDATE;
  -- A statement of its own: it sees what the holders of the locks before us have committed.
  RETURN QUERY
  WITH input AS (
    SELECT i.*, c.id AS channel, c.slow_mode_seconds AS slow
    FROM jsonb_to_recordset(given) AS i(place int, "starId" int, "userId" int, network text, "clientId" text, content text)
    JOIN channels c ON c.star_id = i."starId"),
  before AS MATERIALIZED (
    SELECT touched.id, greatest(
      coalesce((SELECT m.id FROM messages m WHERE m.channel_id = touched.id ORDER BY m.id DESC LIMIT 1), 0),
      coalesce((SELECT m.deleted_event_id FROM messages m WHERE m.channel_id = touched.id AND m.deleted_event_id IS NOT NULL
        ORDER BY m.deleted_event_id DESC LIMIT 1), 0)) AS event
    FROM (SELECT DISTINCT channel AS id FROM input) touched),
  judged AS MATERIALIZED (
    SELECT i.place, i.channel, i.slow, i.network,
      -- Those of one batch came one after the other: the last of them are over the limit first.
      row_number() OVER (PARTITION BY i.network ORDER BY i.place DESC) - 1 AS later,
      u.id AS user_id, i."clientId" AS client_id, i.content,
      u.username, u.display_name, u.profile_image_url, u.role, known.id AS known_id, known.created_at AS known_at,
      mute.until AS muted_until, newest.created_at + make_interval(secs => i.slow) AS next_at,
      CASE WHEN known.channel_id = i.channel AND known.content = i.content THEN 'known'
        WHEN known.id IS NOT NULL THEN 'key_reused'
        WHEN member.user_id IS NULL OR u.deleted_at IS NOT NULL THEN 'not_member'
        WHEN mute.until > clock_timestamp() THEN 'muted'
        WHEN newest.created_at + make_interval(secs => i.slow) > clock_timestamp() THEN 'slow_mode' END AS verdict
    FROM input i JOIN users u ON u.id = i."userId"
    LEFT JOIN messages known ON known.user_id = i."userId" AND known.client_id = i."clientId"
    LEFT JOIN channel_members member ON member.channel_id = i.channel AND member.user_id = i."userId"
    LEFT JOIN channel_mutes mute ON mute.channel_id = i.channel AND mute.user_id = i."userId"
    LEFT JOIN LATERAL (SELECT m.created_at FROM messages m WHERE i.slow > 0 AND u.role = 'user' AND m.user_id = i."userId"
      AND m.channel_id = i.channel ORDER BY m.id DESC LIMIT 1) newest ON true),
  -- Whoever calls counts for the address; only what may be stored counts for the account, so that a repeat costs nothing.
  calls AS (
    SELECT 'message:account:' || user_id AS key, account_seconds AS length, 1 AS calls FROM judged WHERE verdict IS NULL
    UNION ALL SELECT 'message:address:' || network, network_seconds, count(*)::int FROM judged GROUP BY network),
  counted AS (
    INSERT INTO rate_limits AS r (key, window_start, count)
    SELECT key, to_timestamp(floor(extract(epoch FROM now()) / length) * length), calls FROM calls ORDER BY 1
    ON CONFLICT (key, window_start) DO UPDATE SET count = r.count + excluded.count
    RETURNING key, count, window_start),
  rated AS MATERIALIZED (
    SELECT j.*, by_address.is_over,
      CASE WHEN by_address.is_over OR by_account.count > account_count THEN 'rate_limited' ELSE j.verdict END AS finding,
      greatest(1, ceil(CASE WHEN by_address.is_over
        THEN extract(epoch FROM by_address.window_start - now()) + network_seconds
        ELSE extract(epoch FROM by_account.window_start - now()) + account_seconds END))::int AS window_seconds
    FROM judged j
    LEFT JOIN counted by_account ON by_account.key = 'message:account:' || j.user_id
    JOIN LATERAL (
      SELECT c.window_start, c.count - j.later > network_count AS is_over
      FROM counted c WHERE c.key = 'message:address:' || j.network) by_address ON true),
  stored AS (
    INSERT INTO messages (channel_id, user_id, client_id, content, created_at)
    SELECT channel, user_id, client_id, content, clock_timestamp() FROM rated WHERE finding IS NULL ORDER BY place
    ON CONFLICT (user_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_article_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE stars SET article_count = article_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id ORDER BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  ELSE
    UPDATE stars SET article_count = article_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id ORDER BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER article_stars_added AFTER INSERT ON article_stars REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_article_stars();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER article_stars_removed AFTER DELETE ON article_stars REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_article_stars();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_channel_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE channels SET member_count = member_count + changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM added GROUP BY channel_id ORDER BY channel_id) AS changed
    WHERE channels.id = changed.channel_id;
  ELSE
    UPDATE channels SET member_count = member_count - changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM removed GROUP BY channel_id ORDER BY channel_id) AS changed
    WHERE channels.id = changed.channel_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER channel_members_added AFTER INSERT ON channel_members REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_channel_members();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER channel_members_removed AFTER DELETE ON channel_members REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_channel_members();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_event_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE events SET rsvp_count = rsvp_count + changed.n
    FROM (SELECT event_id, count(*)::int AS n FROM added GROUP BY event_id ORDER BY event_id) AS changed
    WHERE events.id = changed.event_id;
  ELSE
    UPDATE events SET rsvp_count = rsvp_count - changed.n
    FROM (SELECT event_id, count(*)::int AS n FROM removed GROUP BY event_id ORDER BY event_id) AS changed
    WHERE events.id = changed.event_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_subscriptions_added AFTER INSERT ON event_subscriptions REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_event_subscriptions();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_subscriptions_removed AFTER DELETE ON event_subscriptions REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_event_subscriptions();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE stars SET follower_count = follower_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id ORDER BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  ELSE
    UPDATE stars SET follower_count = follower_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id ORDER BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER follows_added AFTER INSERT ON follows REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER follows_removed AFTER DELETE ON follows REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION feel_change_of_mind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_interest SET going = going + CASE WHEN NEW.subscription_type = 'going' THEN 1 ELSE -1 END
  WHERE event_id = NEW.event_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_subscriptions_refelt AFTER UPDATE OF subscription_type ON event_subscriptions FOR EACH ROW
WHEN ((OLD.subscription_type = 'going') IS DISTINCT FROM (NEW.subscription_type = 'going'))
EXECUTE FUNCTION feel_change_of_mind();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION feel_event_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO event_interest (event_id, heat, subscriptions, going)
    SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*),
      count(*) FILTER (WHERE subscription_type = 'going')
    FROM (SELECT event_id, subscription_type, heat_of(4, created_at) AS heat,
        max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM added) AS each
    GROUP BY event_id, top ORDER BY event_id
    ON CONFLICT (event_id) DO UPDATE SET heat = heat_sum(event_interest.heat, excluded.heat),
      subscriptions = event_interest.subscriptions + excluded.subscriptions, going = event_interest.going + excluded.going;
  ELSE
    UPDATE event_interest SET heat = heat_less(event_interest.heat, gone.heat), subscriptions = subscriptions - gone.n,
      going = event_interest.going - gone.going
    FROM (SELECT event_id,
        top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision) AS heat,
        count(*)::int AS n, (count(*) FILTER (WHERE subscription_type = 'going'))::int AS going
      FROM (SELECT event_id, subscription_type, heat_of(4, created_at) AS heat,
          max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM removed) AS each
      GROUP BY event_id, top ORDER BY event_id) AS gone
    WHERE event_interest.event_id = gone.event_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_subscriptions_felt AFTER INSERT ON event_subscriptions REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_subscriptions();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_subscriptions_unfelt AFTER DELETE ON event_subscriptions REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_subscriptions();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION feel_event_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_interest (event_id, heat, views)
  SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*)
  FROM (SELECT event_id, heat_of(1, seen_at) AS heat,
      max(heat_of(1, seen_at)) OVER (PARTITION BY event_id) AS top FROM added) AS each
  GROUP BY event_id, top ORDER BY event_id
  ON CONFLICT (event_id) DO UPDATE SET heat = heat_sum(event_interest.heat, excluded.heat),
    views = event_interest.views + excluded.views;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_views_felt AFTER INSERT ON event_views REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_views();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION heat_less(a double precision, b double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN a = '-Infinity' OR a - b < 0.001 THEN '-Infinity'::double precision WHEN a - b > 50 THEN a
  ELSE a + ln(1 - power(2::double precision, b - a)) / ln(2.0::double precision) END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION heat_of(w double precision, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ln(w) / ln(2.0::double precision) + extract(epoch FROM at AT TIME ZONE 'UTC')::double precision / 259200;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION heat_sum(a double precision, b double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN greatest(a, b) - least(a, b) > 50 OR least(a, b) = '-Infinity' THEN greatest(a, b)
  ELSE greatest(a, b) + ln(1 + power(2::double precision, least(a, b) - greatest(a, b))) / ln(2.0::double precision) END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION move_event_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_stars SET start_time = NEW.start_time WHERE event_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER events_moved AFTER UPDATE OF start_time ON events FOR EACH ROW
WHEN (OLD.start_time IS DISTINCT FROM NEW.start_time) EXECUTE FUNCTION move_event_stars();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_story_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.step_since = now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER stories_step BEFORE UPDATE ON stories FOR EACH ROW
WHEN (OLD.stage IS DISTINCT FROM NEW.stage OR OLD.event_stage IS DISTINCT FROM NEW.event_stage)
EXECUTE FUNCTION note_story_step();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION notice_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER events_noticed BEFORE UPDATE ON events FOR EACH ROW WHEN (
  (OLD.event_type, OLD.category_id, OLD.state, OLD.verification, OLD.start_time, OLD.end_time, OLD.zone, OLD.precision,
    OLD.primary_star_id, OLD.ticket_url, OLD.streaming_url, OLD.official_url, OLD.sequence)
  IS DISTINCT FROM (NEW.event_type, NEW.category_id, NEW.state, NEW.verification, NEW.start_time, NEW.end_time, NEW.zone,
    NEW.precision, NEW.primary_star_id, NEW.ticket_url, NEW.streaming_url, NEW.official_url, NEW.sequence)
) EXECUTE FUNCTION notice_event_change();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION notice_event_parts() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER event_words_added AFTER INSERT ON event_translations REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_words_changed AFTER UPDATE ON event_translations REFERENCING OLD TABLE AS was NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_words_removed AFTER DELETE ON event_translations REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_stars_added AFTER INSERT ON event_stars REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_stars_removed AFTER DELETE ON event_stars REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION record_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_changes (event_id, version, old_start, old_zone, old_precision, old_state, old_verification)
  VALUES (NEW.id, NEW.schedule_version, OLD.start_time, OLD.zone, OLD.precision, OLD.state, OLD.verification);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER events_rescheduled AFTER UPDATE ON events FOR EACH ROW
WHEN (OLD.schedule_version IS DISTINCT FROM NEW.schedule_version) EXECUTE FUNCTION record_event_change();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION reminder_due(start_time timestamptz, zone text, before text) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE right(before, 1)
  WHEN 'm' THEN start_time - make_interval(mins => left(before, -1)::int)
  WHEN 'h' THEN start_time - make_interval(hours => left(before, -1)::int)
  WHEN 'd' THEN (start_time AT TIME ZONE zone - make_interval(days => left(before, -1)::int)) AT TIME ZONE zone
  WHEN 'w' THEN (start_time AT TIME ZONE zone - make_interval(weeks => left(before, -1)::int)) AT TIME ZONE zone
END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION take_event_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT start_time INTO NEW.start_time FROM events WHERE id = NEW.event_id;
  -- Without the event the foreign key refuses the row in its own words.
  NEW.start_time = coalesce(NEW.start_time, now());
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER event_stars_start BEFORE INSERT ON event_stars FOR EACH ROW EXECUTE FUNCTION take_event_start();
