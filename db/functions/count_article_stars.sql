-- Articles of a star, for its card and for the order of stars; why by a trigger, by statement and in order: see
-- count_follows.sql.
CREATE OR REPLACE FUNCTION count_article_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM stars WHERE id IN (SELECT star_id FROM added) ORDER BY id FOR NO KEY UPDATE;
    UPDATE stars SET article_count = article_count + changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM added GROUP BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  ELSE
    PERFORM FROM stars WHERE id IN (SELECT star_id FROM removed) ORDER BY id FOR NO KEY UPDATE;
    UPDATE stars SET article_count = article_count - changed.n
    FROM (SELECT star_id, count(*)::int AS n FROM removed GROUP BY star_id) AS changed
    WHERE stars.id = changed.star_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER article_stars_added AFTER INSERT ON article_stars REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION count_article_stars();

CREATE OR REPLACE TRIGGER article_stars_removed AFTER DELETE ON article_stars REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION count_article_stars();
