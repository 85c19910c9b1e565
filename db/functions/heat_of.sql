-- A piece of interest of weight `w` at `at`, in the unit of event_interest.heat (decision E5): half-life three days. A
-- logarithm, because the weight itself, which doubles every three days, is beyond any number type.
CREATE OR REPLACE FUNCTION heat_of(w double precision, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ln(w) / ln(2.0::double precision) + extract(epoch FROM at AT TIME ZONE 'UTC')::double precision / 259200;
