-- Counters that pages show are rows of their own, kept exact by the statement that changes what they count
-- (quality §Safe 13): no read-then-write anywhere, and a page never counts rows.
--> statement-breakpoint
CREATE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE stars SET follower_count = follower_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id ORDER BY star_id) AS changed WHERE stars.id = changed.star_id;
  ELSE
    UPDATE stars SET follower_count = follower_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id ORDER BY star_id) AS changed WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER follows_added AFTER INSERT ON follows REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
--> statement-breakpoint
CREATE TRIGGER follows_removed AFTER DELETE ON follows REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
--> statement-breakpoint
CREATE FUNCTION count_channel_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE channels SET member_count = member_count + changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM added GROUP BY channel_id ORDER BY channel_id) AS changed WHERE channels.id = changed.channel_id;
  ELSE
    UPDATE channels SET member_count = member_count - changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM removed GROUP BY channel_id ORDER BY channel_id) AS changed WHERE channels.id = changed.channel_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER channel_members_added AFTER INSERT ON channel_members REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_channel_members();
--> statement-breakpoint
CREATE TRIGGER channel_members_removed AFTER DELETE ON channel_members REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_channel_members();
--> statement-breakpoint
CREATE FUNCTION count_article_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE stars SET article_count = article_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id ORDER BY star_id) AS changed WHERE stars.id = changed.star_id;
  ELSE
    UPDATE stars SET article_count = article_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id ORDER BY star_id) AS changed WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER article_stars_added AFTER INSERT ON article_stars REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_article_stars();
--> statement-breakpoint
CREATE TRIGGER article_stars_removed AFTER DELETE ON article_stars REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_article_stars();
--> statement-breakpoint
CREATE FUNCTION count_event_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE events SET rsvp_count = rsvp_count + changed.n
    FROM (SELECT event_id, count(*)::int AS n FROM added GROUP BY event_id ORDER BY event_id) AS changed WHERE events.id = changed.event_id;
  ELSE
    UPDATE events SET rsvp_count = rsvp_count - changed.n
    FROM (SELECT event_id, count(*)::int AS n FROM removed GROUP BY event_id ORDER BY event_id) AS changed WHERE events.id = changed.event_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER event_subscriptions_added AFTER INSERT ON event_subscriptions REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_event_subscriptions();
--> statement-breakpoint
CREATE TRIGGER event_subscriptions_removed AFTER DELETE ON event_subscriptions REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_event_subscriptions();
