-- Words and stars are of the event too: a change of them makes its calendar entry newer (decision E7). What came with the event
-- itself, in one transaction, is no change of it.
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

CREATE OR REPLACE TRIGGER event_words_added AFTER INSERT ON event_translations REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();

CREATE OR REPLACE TRIGGER event_words_changed AFTER UPDATE ON event_translations REFERENCING OLD TABLE AS was NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();

CREATE OR REPLACE TRIGGER event_words_removed AFTER DELETE ON event_translations REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();

CREATE OR REPLACE TRIGGER event_stars_added AFTER INSERT ON event_stars REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();

CREATE OR REPLACE TRIGGER event_stars_removed AFTER DELETE ON event_stars REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION notice_event_parts();
