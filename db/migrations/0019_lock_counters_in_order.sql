ALTER TABLE "late_follow_counts" DROP CONSTRAINT "late_follow_counts_pkey";
--> statement-breakpoint
CREATE INDEX "late_follow_counts_star" ON "late_follow_counts" USING btree ("star_id");
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_article_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM stars WHERE id IN (SELECT star_id FROM added) ORDER BY id FOR NO KEY UPDATE;
    UPDATE stars SET article_count = article_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  ELSE
    PERFORM FROM stars WHERE id IN (SELECT star_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE stars SET article_count = article_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_channel_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM channels WHERE id IN (SELECT channel_id FROM added) ORDER BY id FOR NO KEY UPDATE;
    UPDATE channels SET member_count = member_count + changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM added GROUP BY channel_id) AS changed
    WHERE channels.id = changed.channel_id;
  ELSE
    PERFORM FROM channels WHERE id IN (SELECT channel_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE channels SET member_count = member_count - changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM removed GROUP BY channel_id) AS changed
    WHERE channels.id = changed.channel_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_event_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM events WHERE id IN (SELECT event_id FROM added) ORDER BY id FOR NO KEY UPDATE;
    UPDATE events SET rsvp_count = rsvp_count + changed.n
    FROM (SELECT event_id, count(*)::int AS n FROM added GROUP BY event_id) AS changed
    WHERE events.id = changed.event_id;
  ELSE
    PERFORM FROM events WHERE id IN (SELECT event_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE events SET rsvp_count = rsvp_count - changed.n
    FROM (SELECT event_id, count(*)::int AS n FROM removed GROUP BY event_id) AS changed
    WHERE events.id = changed.event_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  patience text := current_setting('lock_timeout');
  is_late boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    is_late := EXISTS (SELECT FROM late_follow_counts WHERE star_id IN (SELECT star_id FROM added));
  ELSE
    is_late := EXISTS (SELECT FROM late_follow_counts WHERE star_id IN (SELECT star_id FROM removed));
  END IF;
  IF NOT is_late THEN
    PERFORM set_config('lock_timeout', '700ms', true);
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM FROM stars WHERE id IN (SELECT star_id FROM added) ORDER BY id FOR NO KEY UPDATE;
        UPDATE stars SET follower_count = follower_count + changed.n
        FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id) AS changed
        WHERE stars.id = changed.star_id;
      ELSE
        PERFORM FROM stars WHERE id IN (SELECT star_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
        UPDATE stars SET follower_count = follower_count - changed.n
        FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id) AS changed
        WHERE stars.id = changed.star_id;
      END IF;
    EXCEPTION WHEN lock_not_available THEN
      is_late := true;
    END;
    PERFORM set_config('lock_timeout', patience, true);
  END IF;
  IF is_late AND TG_OP = 'INSERT' THEN
    INSERT INTO late_follow_counts (star_id) SELECT DISTINCT star_id FROM added ORDER BY star_id;
  ELSIF is_late THEN
    INSERT INTO late_follow_counts (star_id) SELECT DISTINCT star_id FROM removed ORDER BY star_id;
  END IF;
  RETURN NULL;
END $$;
