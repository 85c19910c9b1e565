DROP INDEX "event_stars_star";--> statement-breakpoint
ALTER TABLE "event_stars" ADD COLUMN "start_time" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "event_stars_next" ON "event_stars" USING btree ("star_id","start_time","event_id");
--> statement-breakpoint
UPDATE event_stars SET start_time = events.start_time FROM events WHERE events.id = event_stars.event_id;
--> statement-breakpoint
CREATE FUNCTION take_event_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT start_time INTO NEW.start_time FROM events WHERE id = NEW.event_id;
  -- Without the event the foreign key refuses the row in its own words.
  NEW.start_time = coalesce(NEW.start_time, now());
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER event_stars_start BEFORE INSERT ON event_stars FOR EACH ROW EXECUTE FUNCTION take_event_start();
--> statement-breakpoint
CREATE FUNCTION move_event_stars() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_stars SET start_time = NEW.start_time WHERE event_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_moved AFTER UPDATE OF start_time ON events FOR EACH ROW
WHEN (OLD.start_time IS DISTINCT FROM NEW.start_time) EXECUTE FUNCTION move_event_stars();
