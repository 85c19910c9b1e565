-- The letters of a text, single and in pairs, each once: what a search is looked up by that has no three letters in a row, and
-- so no trigram. A text contains another one only if it has all of the other's. A function of the database, because what is
-- stored and what is searched for must be taken apart alike.
CREATE OR REPLACE FUNCTION byeol_grams(value text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT array(
  SELECT DISTINCT gram COLLATE "C" FROM string_to_array(value, NULL) AS letters,
    LATERAL (SELECT unnest(letters) UNION ALL
      SELECT one || other FROM unnest(letters, letters[2:]) AS pair(one, other) WHERE other IS NOT NULL) AS grams(gram)) $$;
