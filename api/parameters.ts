import { FormatRegistry } from '@sinclair/typebox';
import { t } from 'elysia';
import { languages } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { deepestOffset, largestId, readInteger, readStarIdArray } from './input.ts';
import { oneOf } from './shapes.ts';

/**
 * Parameters that routes share (quality §Safe 5). Elysia's own `t.Numeric` takes `1e309`, `0x10` and a space, so numbers
 * are text that a strict reader accepts and that handlers receive as numbers. `x-integer` tells the OpenAPI document.
 */
function wholeNumber(name: string, from: number, to: number, error: string) {
  const format = `byeol-${name}`;
  FormatRegistry.Set(format, (value) => readInteger(value, from, to) !== undefined);
  return t
    .Transform(t.String({ format, error, 'x-integer': { minimum: from, maximum: to } }))
    .Decode((value) => Number(value))
    .Encode((value) => String(value));
}

/** The id of a public thing in a path. Anything that is not one is a 404 (decision M1). */
export const Id = wholeNumber('id', 1, largestId, 'Must be a positive whole number.');
export const IdParams = t.Object({ id: Id });

/** A message; its ids outgrow those of other things. */
export const MessageId = wholeNumber('message', 1, 9_999_999_999, 'Must be a positive whole number.');
/** A message or an event of a channel, 0 before the first. */
export const EventId = wholeNumber(
  'event',
  0,
  9_999_999_999,
  'Must be a whole number of at most ten digits.',
);

export const Limit = wholeNumber(
  'limit',
  1,
  limits.maxPage,
  `Must be a whole number from 1 to ${limits.maxPage}.`,
);
export const Offset = wholeNumber(
  'offset',
  0,
  deepestOffset,
  `Must be a whole number from 0 to ${deepestOffset}.`,
);
export const Page = wholeNumber(
  'page',
  1,
  deepestOffset,
  `Must be a whole number from 1 to ${deepestOffset}.`,
);

/** A span of at most a year. */
export const Seconds = wholeNumber(
  'seconds',
  1,
  31_536_000,
  'Must be a whole number of seconds, at most a year.',
);

/** Language of the words in an answer; Korean when missing. */
export const Language = oneOf(languages);

export const Flag = oneOf(['true', 'false']);

FormatRegistry.Set('byeol-star-ids', (value) => readStarIdArray(value) !== undefined);
/**
 * §7: star ids as a JSON array. It stays text, so that a client that is typed by the contract sends just that and no repeated
 * parameter; handlers read it with `readStarIdArray`.
 */
export const StarIds = t.String({
  format: 'byeol-star-ids',
  error: `Must be a JSON array of at most ${limits.maxPage} ids, such as [1,2].`,
  description: 'A JSON array of ids, such as [1,2].',
});

/** What a person searches for, before it is cleaned by `readSearch`. */
export const SearchText = t.String({ maxLength: 100, error: 'Must have at most 100 characters.' });
