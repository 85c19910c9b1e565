-- What the tables need before they can be made: indexes of trigrams, in one index with numbers, and the function that
-- generated columns call (db/functions/byeol_fold.sql).
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION byeol_fold(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT replace(regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f\u200b-\u200d\u2060]', '', 'g'), 'đ', 'd') $$;
