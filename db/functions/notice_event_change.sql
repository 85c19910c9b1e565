-- SEQUENCE and LAST-MODIFIED grow with every change of a public event that a calendar shows (decision E7), once in a transaction,
-- whichever door it came by. `updated_at = now()` is true only within the transaction that changed it. The version of the
-- schedule grows with those changes that move reminders.
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

CREATE OR REPLACE TRIGGER events_noticed BEFORE UPDATE ON events FOR EACH ROW WHEN (
  (OLD.event_type, OLD.category_id, OLD.state, OLD.verification, OLD.start_time, OLD.end_time, OLD.zone, OLD.precision,
    OLD.primary_star_id, OLD.ticket_url, OLD.streaming_url, OLD.official_url, OLD.sequence)
  IS DISTINCT FROM (NEW.event_type, NEW.category_id, NEW.state, NEW.verification, NEW.start_time, NEW.end_time, NEW.zone,
    NEW.precision, NEW.primary_star_id, NEW.ticket_url, NEW.streaming_url, NEW.official_url, NEW.sequence)
) EXECUTE FUNCTION notice_event_change();
