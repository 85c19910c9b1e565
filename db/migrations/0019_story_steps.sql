ALTER TABLE "stories" ADD COLUMN "step_since" timestamp with time zone DEFAULT now() NOT NULL;
--> statement-breakpoint
UPDATE stories SET step_since = updated_at;
--> statement-breakpoint
CREATE FUNCTION note_story_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.step_since = now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER stories_step BEFORE UPDATE ON stories FOR EACH ROW
WHEN (OLD.stage IS DISTINCT FROM NEW.stage OR OLD.event_stage IS DISTINCT FROM NEW.event_stage)
EXECUTE FUNCTION note_story_step();
