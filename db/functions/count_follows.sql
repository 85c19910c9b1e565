-- Followers of a star, for its card and page: a counter is a column, kept exact by the statement that changes what it counts
-- (decision D3, quality §Safe 13), so no read-then-write and no page that counts rows. By statement, so that a thousand rows are
-- one update of each star; in the order of ids, so that two statements cannot wait for each other.
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE stars SET follower_count = follower_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id ORDER BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  ELSE
    UPDATE stars SET follower_count = follower_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id ORDER BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER follows_added AFTER INSERT ON follows REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();

CREATE OR REPLACE TRIGGER follows_removed AFTER DELETE ON follows REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
