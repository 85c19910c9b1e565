-- Followers of a star, for its card and page: a counter is a column, kept exact by the statement that changes what it counts
-- (decision D3, quality §Safe 13), so no read-then-write and no page that counts rows. By statement, so that a thousand rows are
-- one update of each star; locked before in the order of ids, so that two statements cannot wait for each other: an update goes
-- through its rows in whichever order it was planned.
-- An import keeps the stars that it has changed until its one transaction ends, which may be minutes: nobody who follows waits for that.
-- Such a star is noted, by a row of its own each time, and counted anew by a job. The wait is shorter than
-- `deadlock_timeout`, so that whoever changes the same stars in another order is noted as well instead of being refused; for a star
-- that is noted nobody waits at all, or a few fans of it would hold all connections.
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  patience text := current_setting('lock_timeout');
  is_late boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    is_late := EXISTS (SELECT FROM late_follow_counts WHERE star_id IN (SELECT star_id FROM added));
  ELSE
    is_late := EXISTS (SELECT FROM late_follow_counts WHERE star_id IN (SELECT star_id FROM removed));
  END IF;
  IF NOT is_late THEN
    PERFORM set_config('lock_timeout', '700ms', true);
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM FROM stars WHERE id IN (SELECT star_id FROM added) ORDER BY id FOR NO KEY UPDATE;
        UPDATE stars SET follower_count = follower_count + changed.n
        FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id) AS changed
        WHERE stars.id = changed.star_id;
      ELSE
        PERFORM FROM stars WHERE id IN (SELECT star_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
        UPDATE stars SET follower_count = follower_count - changed.n
        FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id) AS changed
        WHERE stars.id = changed.star_id;
      END IF;
    EXCEPTION WHEN lock_not_available THEN
      is_late := true;
    END;
    PERFORM set_config('lock_timeout', patience, true);
  END IF;
  IF is_late AND TG_OP = 'INSERT' THEN
    INSERT INTO late_follow_counts (star_id) SELECT DISTINCT star_id FROM added ORDER BY star_id;
  ELSIF is_late THEN
    INSERT INTO late_follow_counts (star_id) SELECT DISTINCT star_id FROM removed ORDER BY star_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER follows_added AFTER INSERT ON follows REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();

CREATE OR REPLACE TRIGGER follows_removed AFTER DELETE ON follows REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
