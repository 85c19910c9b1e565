-- One spelling for search: lower case, no marks (Vietnamese without marks finds Vietnamese with them), Hangul as its letters (so
-- that two syllables, or half a syllable, are enough for a trigram index), no invisible joiners. A function of the database,
-- because generated columns and what is searched for must be folded alike. Changing it does not fold again what is stored.
CREATE OR REPLACE FUNCTION byeol_fold(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT replace(regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f\u200b-\u200d\u2060]', '', 'g'), 'đ', 'd') $$;
