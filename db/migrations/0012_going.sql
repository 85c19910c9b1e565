ALTER TABLE "event_interest" ADD COLUMN "going" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION feel_event_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO event_interest (event_id, heat, subscriptions, going)
    SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*),
      count(*) FILTER (WHERE subscription_type = 'going')
    FROM (SELECT event_id, subscription_type, heat_of(4, created_at) AS heat, max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM added) AS each
    GROUP BY event_id, top ORDER BY event_id
    ON CONFLICT (event_id) DO UPDATE SET heat = heat_sum(event_interest.heat, excluded.heat),
      subscriptions = event_interest.subscriptions + excluded.subscriptions, going = event_interest.going + excluded.going;
  ELSE
    UPDATE event_interest SET heat = heat_less(event_interest.heat, gone.heat), subscriptions = subscriptions - gone.n,
      going = event_interest.going - gone.going
    FROM (SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision) AS heat, count(*)::int AS n,
        (count(*) FILTER (WHERE subscription_type = 'going'))::int AS going
      FROM (SELECT event_id, subscription_type, heat_of(4, created_at) AS heat, max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM removed) AS each
      GROUP BY event_id, top ORDER BY event_id) AS gone
    WHERE event_interest.event_id = gone.event_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- By row, because a change of mind is one fan's, and a trigger of a column cannot see tables of changes.
CREATE FUNCTION feel_change_of_mind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_interest SET going = going + CASE WHEN NEW.subscription_type = 'going' THEN 1 ELSE -1 END WHERE event_id = NEW.event_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER event_subscriptions_refelt AFTER UPDATE OF subscription_type ON event_subscriptions FOR EACH ROW
WHEN ((OLD.subscription_type = 'going') IS DISTINCT FROM (NEW.subscription_type = 'going')) EXECUTE FUNCTION feel_change_of_mind();
--> statement-breakpoint
UPDATE event_interest SET going = counted.n
FROM (SELECT event_id, count(*)::int AS n FROM event_subscriptions WHERE subscription_type = 'going' GROUP BY event_id) AS counted
WHERE event_interest.event_id = counted.event_id;
