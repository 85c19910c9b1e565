-- Members of a channel, for its card and page; why by a trigger, by statement and in order: see count_follows.sql.
CREATE OR REPLACE FUNCTION count_channel_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM channels WHERE id IN (SELECT channel_id FROM added) ORDER BY id FOR NO KEY UPDATE;
    UPDATE channels SET member_count = member_count + changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM added GROUP BY channel_id) AS changed
    WHERE channels.id = changed.channel_id;
  ELSE
    PERFORM FROM channels WHERE id IN (SELECT channel_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE channels SET member_count = member_count - changed.n
    FROM (SELECT channel_id, count(*)::int AS n FROM removed GROUP BY channel_id) AS changed
    WHERE channels.id = changed.channel_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER channel_members_added AFTER INSERT ON channel_members REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_channel_members();

CREATE OR REPLACE TRIGGER channel_members_removed AFTER DELETE ON channel_members REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_channel_members();
