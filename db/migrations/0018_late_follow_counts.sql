CREATE TABLE "late_follow_counts" (
	"star_id" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "late_follow_counts" ADD CONSTRAINT "late_follow_counts_star_id_stars_id_fk" FOREIGN KEY ("star_id") REFERENCES "public"."stars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  patience text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', '700ms', true);
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
  EXCEPTION WHEN lock_not_available THEN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO late_follow_counts (star_id) SELECT DISTINCT star_id FROM added ORDER BY star_id ON CONFLICT DO NOTHING;
    ELSE
      INSERT INTO late_follow_counts (star_id) SELECT DISTINCT star_id FROM removed ORDER BY star_id ON CONFLICT DO NOTHING;
    END IF;
  END;
  PERFORM set_config('lock_timeout', patience, true);
  RETURN NULL;
END $$;
