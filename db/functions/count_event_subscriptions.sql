-- Subscriptions of an event, for its card and page; why by a trigger, by statement and in order: see count_follows.sql.
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

CREATE OR REPLACE TRIGGER event_subscriptions_added AFTER INSERT ON event_subscriptions REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_event_subscriptions();

CREATE OR REPLACE TRIGGER event_subscriptions_removed AFTER DELETE ON event_subscriptions REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_event_subscriptions();
