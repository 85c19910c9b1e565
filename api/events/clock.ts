/**
 * What changes in an answer about events though nobody writes: the seconds until a start, which run all the time, the status
 * of an event at its start and end (decision E2), and which day is today. Works on finished JSON, in which a name before a
 * colon is a field: inside of a text its quotation marks would be escaped.
 */

const clocks = /"startTime":"([^"]+)","timeUntilStart":\d+/g;
const moments = /"(?:startTime|overAt)":"([^"]+)"/g;

/** In every zone a day begins at a quarter of an hour. */
const quarter = 15 * 60_000;

/** Seconds until the start, 0 once it has begun. `now` in milliseconds. */
export const secondsUntil = (start: Date, now: number): number =>
  Math.max(0, Math.round((start.getTime() - now) / 1000));

export const eventClock = {
  /** The JSON with its clocks as they stand at `now`, in milliseconds. */
  set: (json: string, now: number): string =>
    json.replaceAll(
      clocks,
      (_, start: string) => `"startTime":"${start}","timeUntilStart":${secondsUntil(new Date(start), now)}`,
    ),

  /** The JSON with its clocks at 0: the same at every moment. */
  stop: (json: string): string => json.replaceAll(clocks, '"startTime":"$1","timeUntilStart":0'),

  /** The first moment after `now` at which something besides the clocks may be another; both in milliseconds. */
  changesAt(json: string, now: number): number {
    let first = (Math.floor(now / quarter) + 1) * quarter;
    for (const [, text = ''] of json.matchAll(moments)) {
      const moment = Date.parse(text);
      if (moment > now && moment < first) first = moment;
    }
    return first;
  },
};
