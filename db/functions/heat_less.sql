-- Difference of two heats, which are logarithms: what is left when interest is taken back. Rounding may leave a little more to
-- take than there is, so nearly equal ones leave nothing.
CREATE OR REPLACE FUNCTION heat_less(a double precision, b double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN a = '-Infinity' OR a - b < 0.001 THEN '-Infinity'::double precision WHEN a - b > 50 THEN a
  ELSE a + ln(1 - power(2::double precision, b - a)) / ln(2.0::double precision) END;
