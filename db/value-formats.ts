/**
 * How PostgreSQL writes dates and bytes down, and reads text. A role or a database may have another way set
 * (`ALTER DATABASE … SET datestyle`), in which nothing of ours could read its answers: each connection says these for itself.
 */
export const valueFormats = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
} as const;

const { DateStyle, standard_conforming_strings } = valueFormats;

/** Those of them that every PgBouncer passes on. The others belong to the connections that it makes (`deploy/pgbouncer.ini`). */
export const pooledFormats = { DateStyle, standard_conforming_strings } as const;
