CREATE TABLE "event_interest" (
	"event_id" integer PRIMARY KEY NOT NULL,
	"heat" double precision NOT NULL,
	"views" integer DEFAULT 0 NOT NULL,
	"subscriptions" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_views" (
	"event_id" integer NOT NULL,
	"day" date NOT NULL,
	"visitor" "bytea" NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "event_views_event_id_day_visitor_pk" PRIMARY KEY("event_id","day","visitor")
);
--> statement-breakpoint
CREATE TABLE "view_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "over_at" timestamp with time zone GENERATED ALWAYS AS (coalesce(end_time, case when precision = 'day'
  then (start_time at time zone zone + interval '1 day') at time zone zone
  else (start_time at time zone 'UTC' + interval '1 minute' * case event_type when 'comeback' then 60 when 'concert' then 150 when 'fan_meeting' then 120 when 'tv_show' then 80 when 'award_show' then 240 when 'streaming' then 60 when 'birthday' then 1440 when 'anniversary' then 1440 when 'release' then 60 when 'other' then 120 else 120 end) at time zone 'UTC' end)) STORED;--> statement-breakpoint
ALTER TABLE "event_interest" ADD CONSTRAINT "event_interest_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_views" ADD CONSTRAINT "event_views_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_interest_heat" ON "event_interest" USING btree ("heat" DESC NULLS FIRST,"event_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "event_views_day" ON "event_views" USING btree ("day");--> statement-breakpoint
CREATE INDEX "events_span" ON "events" USING gist (tstzrange(start_time, over_at)) WHERE verification = 'approved';
--> statement-breakpoint
-- A piece of interest of weight `w` at `at`, in the unit of event_interest.heat: half-life three days.
CREATE FUNCTION heat_of(w double precision, at timestamptz) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ln(w) / ln(2.0::double precision) + extract(epoch FROM at AT TIME ZONE 'UTC')::double precision / 259200;
--> statement-breakpoint
-- Sum and difference of two heats. What is 2^50 times smaller changes nothing and would underflow.
CREATE FUNCTION heat_sum(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN greatest(a, b) - least(a, b) > 50 OR least(a, b) = '-Infinity' THEN greatest(a, b)
  ELSE greatest(a, b) + ln(1 + power(2::double precision, least(a, b) - greatest(a, b))) / ln(2.0::double precision) END;
--> statement-breakpoint
CREATE FUNCTION heat_less(a double precision, b double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN a = '-Infinity' OR a - b < 0.001 THEN '-Infinity'::double precision WHEN a - b > 50 THEN a
  ELSE a + ln(1 - power(2::double precision, b - a)) / ln(2.0::double precision) END;
--> statement-breakpoint
CREATE FUNCTION feel_event_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO event_interest (event_id, heat, subscriptions)
    SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*)
    FROM (SELECT event_id, heat_of(4, created_at) AS heat, max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM added) AS each
    GROUP BY event_id, top ORDER BY event_id
    ON CONFLICT (event_id) DO UPDATE SET heat = heat_sum(event_interest.heat, excluded.heat),
      subscriptions = event_interest.subscriptions + excluded.subscriptions;
  ELSE
    UPDATE event_interest SET heat = heat_less(event_interest.heat, gone.heat), subscriptions = subscriptions - gone.n
    FROM (SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision) AS heat, count(*)::int AS n
      FROM (SELECT event_id, heat_of(4, created_at) AS heat, max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM removed) AS each
      GROUP BY event_id, top ORDER BY event_id) AS gone
    WHERE event_interest.event_id = gone.event_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The names put both after those that count on the event's own row: always locked first, so that nobody waits in a circle.
CREATE TRIGGER event_subscriptions_felt AFTER INSERT ON event_subscriptions REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_subscriptions();
--> statement-breakpoint
CREATE TRIGGER event_subscriptions_unfelt AFTER DELETE ON event_subscriptions REFERENCING OLD TABLE AS removed
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_subscriptions();
--> statement-breakpoint
CREATE FUNCTION feel_event_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_interest (event_id, heat, views)
  SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*)
  FROM (SELECT event_id, heat_of(1, seen_at) AS heat, max(heat_of(1, seen_at)) OVER (PARTITION BY event_id) AS top FROM added) AS each
  GROUP BY event_id, top ORDER BY event_id
  ON CONFLICT (event_id) DO UPDATE SET heat = heat_sum(event_interest.heat, excluded.heat),
    views = event_interest.views + excluded.views;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER event_views_felt AFTER INSERT ON event_views REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION feel_event_views();
--> statement-breakpoint
INSERT INTO event_interest (event_id, heat, subscriptions)
SELECT event_id, top + ln(sum(power(2::double precision, greatest(heat - top, -50)))) / ln(2.0::double precision), count(*)
FROM (SELECT event_id, heat_of(4, created_at) AS heat, max(heat_of(4, created_at)) OVER (PARTITION BY event_id) AS top FROM event_subscriptions) AS each
GROUP BY event_id, top;
