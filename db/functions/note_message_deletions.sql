-- Keeps the newest deletion of a channel with the channel (decision D13): where it goes on is asked for with every message, and to
-- look for the deletion would be a look into each partition of messages.
CREATE OR REPLACE FUNCTION note_message_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE channels SET last_deletion_id = newest.id
  FROM (SELECT channel_id, max(deleted_event_id) AS id FROM changed WHERE deleted_event_id IS NOT NULL GROUP BY channel_id) newest
  WHERE channels.id = newest.channel_id AND newest.id > coalesce(channels.last_deletion_id, 0);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER messages_deletions_noted AFTER UPDATE ON messages REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION note_message_deletions();
