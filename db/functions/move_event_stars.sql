-- The other half of take_event_start.sql: when an event moves, the rows of its stars move with it.
CREATE OR REPLACE FUNCTION move_event_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_stars SET start_time = NEW.start_time WHERE event_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_moved AFTER UPDATE OF start_time ON events FOR EACH ROW
WHEN (OLD.start_time IS DISTINCT FROM NEW.start_time) EXECUTE FUNCTION move_event_stars();
