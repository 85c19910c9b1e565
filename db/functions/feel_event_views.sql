-- Views make an event trend (decision E5); a view is one visitor on one day, which the key of event_views says.
CREATE OR REPLACE FUNCTION feel_event_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_interest (event_id, heat, views)
  SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*)
  FROM (SELECT event_id, heat_of(1, seen_at) AS heat,
      max(heat_of(1, seen_at)) OVER (PARTITION BY event_id) AS top FROM added) AS each
  GROUP BY event_id, top ORDER BY event_id
  ON CONFLICT (event_id) DO UPDATE SET heat = heat_sum(event_interest.heat, excluded.heat),
    views = event_interest.views + excluded.views;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_views_felt AFTER INSERT ON event_views REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_views();
