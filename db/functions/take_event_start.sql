-- A star's next events are the first entries of an index, so event_stars repeats the event's start; a new row takes it.
CREATE OR REPLACE FUNCTION take_event_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT start_time INTO NEW.start_time FROM events WHERE id = NEW.event_id;
  -- Without the event the foreign key refuses the row in its own words.
  NEW.start_time = coalesce(NEW.start_time, now());
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER event_stars_start BEFORE INSERT ON event_stars FOR EACH ROW EXECUTE FUNCTION take_event_start();
