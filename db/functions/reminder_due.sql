-- When to remind: minutes and hours before the start by the clock, days and weeks by the calendar of the event's zone, so that
-- "1d" before ten in New York is ten the day before, also when the clocks change between. In the database, because reminders are
-- planned there, thousands in a statement.
CREATE OR REPLACE FUNCTION reminder_due(start_time timestamptz, zone text, before text) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE right(before, 1)
  WHEN 'm' THEN start_time - make_interval(mins => left(before, -1)::int)
  WHEN 'h' THEN start_time - make_interval(hours => left(before, -1)::int)
  WHEN 'd' THEN (start_time AT TIME ZONE zone - make_interval(days => left(before, -1)::int)) AT TIME ZONE zone
  WHEN 'w' THEN (start_time AT TIME ZONE zone - make_interval(weeks => left(before, -1)::int)) AT TIME ZONE zone
END;
