CREATE TABLE "star_search" (
	"star_id" integer PRIMARY KEY NOT NULL,
	"search_key" text NOT NULL,
	"initials" text NOT NULL,
	"name_grams" text[] NOT NULL,
	"initial_grams" text[] NOT NULL
);
--> statement-breakpoint
DROP INDEX "stars_search";--> statement-breakpoint
DROP INDEX "stars_search_joined";--> statement-breakpoint
ALTER TABLE "star_translations" ADD COLUMN "name_key" text GENERATED ALWAYS AS (byeol_fold(name)) STORED;--> statement-breakpoint
ALTER TABLE "stars" ADD COLUMN "name_key" text GENERATED ALWAYS AS (byeol_fold(name)) STORED;--> statement-breakpoint
ALTER TABLE "star_search" ADD CONSTRAINT "star_search_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "star_search_names" ON "star_search" USING gin (search_key gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "star_search_joined" ON "star_search" USING gin (replace(search_key, ' ', '') gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "star_search_grams" ON "star_search" USING gin ("name_grams") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "star_search_initials" ON "star_search" USING gin ("initial_grams") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "star_members_named" ON "star_members" USING btree ("group_id") WHERE member_id is null;--> statement-breakpoint
CREATE INDEX "star_translations_called" ON "star_translations" USING btree (lower(name));--> statement-breakpoint
CREATE INDEX "star_translations_sorted" ON "star_translations" USING btree ("language","name_key","star_id");--> statement-breakpoint
CREATE INDEX "stars_hidden" ON "stars" USING btree ("id") WHERE hidden_at is not null;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION byeol_grams(value text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT array(
  SELECT DISTINCT gram COLLATE "C" FROM string_to_array(value, NULL) AS letters,
    LATERAL (SELECT unnest(letters) UNION ALL
      SELECT one || other FROM unnest(letters, letters[2:]) AS pair(one, other) WHERE other IS NOT NULL) AS grams(gram)) $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_star_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO star_search (star_id, search_key, initials, name_grams, initial_grams)
  VALUES (NEW.id, NEW.search_key, NEW.initials, byeol_grams(NEW.search_key), byeol_grams(NEW.initials))
  ON CONFLICT (star_id) DO UPDATE SET search_key = excluded.search_key, initials = excluded.initials,
    name_grams = excluded.name_grams, initial_grams = excluded.initial_grams;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER star_named AFTER INSERT ON stars
FOR EACH ROW EXECUTE FUNCTION keep_star_search();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER star_renamed AFTER UPDATE OF search_text, initials ON stars
FOR EACH ROW WHEN ((OLD.search_text, OLD.initials) IS DISTINCT FROM (NEW.search_text, NEW.initials))
EXECUTE FUNCTION keep_star_search();
--> statement-breakpoint
INSERT INTO star_search (star_id, search_key, initials, name_grams, initial_grams)
SELECT id, search_key, initials, byeol_grams(search_key), byeol_grams(initials) FROM stars;
