-- The desk shows how long a story has been at its step; whichever query moves it, step_since follows.
CREATE OR REPLACE FUNCTION note_story_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.step_since = now();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER stories_step BEFORE UPDATE ON stories FOR EACH ROW
WHEN (OLD.stage IS DISTINCT FROM NEW.stage OR OLD.event_stage IS DISTINCT FROM NEW.event_stage)
EXECUTE FUNCTION note_story_step();
