-- Sum of two heats, which are logarithms. What is 2^50 times smaller changes nothing and would underflow.
CREATE OR REPLACE FUNCTION heat_sum(a double precision, b double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN greatest(a, b) - least(a, b) > 50 OR least(a, b) = '-Infinity' THEN greatest(a, b)
  ELSE greatest(a, b) + ln(1 + power(2::double precision, least(a, b) - greatest(a, b))) / ln(2.0::double precision) END;
