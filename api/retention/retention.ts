import { limits } from '#content/site.ts';
import { log } from '#db/log.ts';
import { TableBusy } from '#db/partitions/attach.ts';
import { dropViewsBefore, makeViewParts } from '#db/partitions/by-day.ts';
import { auditSeries, type Forgotten, forgetOlder, makeParts, messageSeries } from '#db/partitions/by-id.ts';
import { findStarsOfChannels } from '#db/queries/community/channels.ts';
import { forgetMessageKeys } from '#db/queries/community/sending.ts';
import { deleteSaltsBefore, deleteViewsBefore } from '#db/queries/events/views.ts';
import { config } from '../config.ts';
import { dayBefore } from '../events/views.ts';
import { invalidate } from '../invalidation.ts';
import { defineJob } from '../jobs/jobs.ts';
import type { Tag } from '../tags.ts';

/** What grows for ever has its place ready, and leaves when its time is over (decision D13). */

/** Makes parts ahead, and forgets what is older than the settings say. */
export async function keepInTime(now = new Date(), signal?: AbortSignal): Promise<void> {
  const { messagesKeptDays, auditKeptDays } = config();
  // What is needed next comes first: nothing that waits behind is a reason not to make it.
  await orLater(() => makeParts(messageSeries));
  await orLater(() => makeParts(auditSeries));
  await orLater(() => makeViewParts(now.toISOString().slice(0, 10)));
  await orLater(() => dropViewsBefore(dayBefore(now)));
  await deleteViewsBefore(dayBefore(now));
  // The first view of a day does as well, but a day may have none.
  await deleteSaltsBefore(dayBefore(now));
  await forgetMessageKeys(limits.messageKeyDays, signal);
  if (auditKeptDays !== undefined) await orLater(() => forgetOlder(auditSeries, auditKeptDays, signal));
  if (messagesKeptDays !== undefined)
    await orLater(async () => {
      const forgotten = await forgetOlder(messageSeries, messagesKeptDays, signal);
      if (forgotten.parts > 0 || forgotten.owners.size > 0)
        await invalidate(['channels', 'talk', ...(await tagsOfChannels(forgotten))]);
    });
}

/** Channels that are told of one by one. */
const mostChannels = 200;

/** By what the pages of channels are out of date: of a part that went, nobody has read whose messages it had. */
async function tagsOfChannels({ parts, owners }: Forgotten): Promise<Tag[]> {
  if (parts > 0 || owners.size > mostChannels) return ['retention'];
  return (await findStarsOfChannels([...owners])).map((star) => `channel:${star}` as const);
}

/** A table that is in use for long, as while a backup is made, is left alone until the next hour. */
async function orLater(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof TableBusy)) throw error;
    log.warn('partitions of a table stay as they are for an hour: it is in use, as while a backup is made');
  }
}

/** Every hour. One that was missed is made up for by the next. */
export const retentionJob = defineJob<object>({
  name: 'retention',
  cron: '7 * * * *',
  atStart: {},
  retryLimit: 3,
  retryDelay: 60,
  timeout: 900,
  async handle(_, { signal }) {
    await keepInTime(new Date(), signal);
  },
});
