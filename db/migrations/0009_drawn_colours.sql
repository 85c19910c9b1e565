ALTER TABLE "stars" ADD COLUMN "is_color_drawn" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- What an import did not tell was the brand colour until now: it becomes one of the drawn ones, another one for each namesake.
WITH "colours" AS (
  SELECT "colour", "placeholder", "place" FROM unnest(
    array['#E07A00', '#BC7600', '#E8A800', '#C4A000', '#D5C723', '#929F00', '#8AB833', '#3F8F1D', '#2CAD58', '#008A5D', '#00AB8B', '#00877B', '#00A7A9', '#008491', '#00A3C3', '#007FAA', '#009BE9', '#1674D1', '#608CF6', '#5E66D3', '#8F7EF0', '#8458C6', '#B271DB', '#A04CAC', '#CC66BB', '#B44389', '#DE6094', '#C03F61'],
    array['#950025', '#8b2409', '#8a2600', '#7b3900', '#763d00', '#005e30', '#005d45', '#005d45', '#005b55', '#005b57', '#005964', '#005866', '#005577', '#005578', '#004e91', '#004f90', '#1d44a6', '#2041ab', '#393baa', '#4138a9', '#4c34a6', '#572ea1', '#5c2d9e', '#692595', '#6a2594', '#771d84', '#751e87', '#860e6a']
  ) WITH ORDINALITY AS "given"("colour", "placeholder", "place")
), "untold" AS (
  SELECT "id", "slug", (hashtext("name") & 65535) + 11 * row_number() OVER (PARTITION BY "name" ORDER BY "id") AS "turn"
  FROM "stars" WHERE upper("fandom_color") = '#FF4B1F'
), "drawn" AS (
  SELECT "untold"."id", "untold"."slug", "colours"."colour", "colours"."placeholder"
  FROM "untold" JOIN "colours" ON "colours"."place" = 1 + "untold"."turn" % 28
), "repainted" AS (
  UPDATE "pictures" SET "art" = jsonb_set("pictures"."art", '{fandomColor}', to_jsonb("drawn"."colour")), "placeholder" = "drawn"."placeholder"
  FROM "drawn" WHERE "pictures"."key" IN ('star-' || "drawn"."slug" || '-hero', 'star-' || "drawn"."slug" || '-chart') AND "pictures"."art" IS NOT NULL
), "forgotten" AS (
  DELETE FROM "star_facts" USING "drawn" WHERE "star_facts"."star_id" = "drawn"."id" AND "star_facts"."field" = 'fandomColor'
)
UPDATE "stars" SET "fandom_color" = "drawn"."colour", "is_color_drawn" = true FROM "drawn" WHERE "stars"."id" = "drawn"."id";
