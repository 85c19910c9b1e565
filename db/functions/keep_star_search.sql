-- What a star is found by follows its names. Only when these are written: the counters of a star change with every article and
-- follower, and to write the indexes of its names anew would cost more than all else of that.
CREATE OR REPLACE FUNCTION keep_star_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO star_search (star_id, search_key, initials, name_grams, initial_grams)
  VALUES (NEW.id, NEW.search_key, NEW.initials, byeol_grams(NEW.search_key), byeol_grams(NEW.initials))
  ON CONFLICT (star_id) DO UPDATE SET search_key = excluded.search_key, initials = excluded.initials,
    name_grams = excluded.name_grams, initial_grams = excluded.initial_grams;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER star_named AFTER INSERT ON stars
FOR EACH ROW EXECUTE FUNCTION keep_star_search();
CREATE OR REPLACE TRIGGER star_renamed AFTER UPDATE OF search_text, initials ON stars
FOR EACH ROW WHEN ((OLD.search_text, OLD.initials) IS DISTINCT FROM (NEW.search_text, NEW.initials))
EXECUTE FUNCTION keep_star_search();
