-- Keeps what a public event was before it moved, so that its subscribers are told, whichever door moved it.
CREATE OR REPLACE FUNCTION record_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_changes (event_id, version, old_start, old_zone, old_precision, old_state, old_verification)
  VALUES (NEW.id, NEW.schedule_version, OLD.start_time, OLD.zone, OLD.precision, OLD.state, OLD.verification);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_rescheduled AFTER UPDATE ON events FOR EACH ROW
WHEN (OLD.schedule_version IS DISTINCT FROM NEW.schedule_version) EXECUTE FUNCTION record_event_change();
