-- Subscriptions make an event trend (decision E5): its heat, and how many subscribed and say that they will be there. The names
-- of the triggers put them after those that count on the event's own row: always locked first, so that nobody waits in a circle.
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

CREATE OR REPLACE TRIGGER event_subscriptions_felt AFTER INSERT ON event_subscriptions REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_subscriptions();

CREATE OR REPLACE TRIGGER event_subscriptions_unfelt AFTER DELETE ON event_subscriptions REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_subscriptions();
