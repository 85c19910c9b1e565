-- Keeps how many say that they will be there when a fan changes from interested to going or back. By row, because a change of
-- mind is one fan's, and a trigger of a column cannot see tables of changes.
CREATE OR REPLACE FUNCTION feel_change_of_mind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_interest SET going = going + CASE WHEN NEW.subscription_type = 'going' THEN 1 ELSE -1 END
  WHERE event_id = NEW.event_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_subscriptions_refelt AFTER UPDATE OF subscription_type ON event_subscriptions FOR EACH ROW
WHEN ((OLD.subscription_type = 'going') IS DISTINCT FROM (NEW.subscription_type = 'going'))
EXECUTE FUNCTION feel_change_of_mind();
