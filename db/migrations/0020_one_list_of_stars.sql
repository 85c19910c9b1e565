-- Favourites and follows were two lists of one wish; from here on `follows` is the only one, and nobody loses a star. The
-- trigger of `follows` counts what comes over. Writers of the old table wait, so that none of them is left behind.
LOCK TABLE "favourites" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
INSERT INTO "follows" ("user_id", "star_id", "created_at")
SELECT "user_id", "star_id", "created_at" FROM "favourites"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
DROP TABLE "favourites" CASCADE;
--> statement-breakpoint
-- A process of the release before may still run beside this one: by the old name it reads and writes the one list.
CREATE VIEW "favourites" AS SELECT "user_id", "star_id", "created_at" FROM "follows";
--> statement-breakpoint
ALTER VIEW "favourites" ALTER COLUMN "created_at" SET DEFAULT now();
