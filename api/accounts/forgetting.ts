import { eraseLateRows } from '#db/queries/accounts/erasure.ts';
import { deleteOldImports } from '#db/queries/directory/imports.ts';
import {
  deleteDecidedReports,
  deleteEndedMutes,
  deleteExpiredSessions,
  deleteExpiredTokens,
  eraseDeletedWords,
  listEndedAccounts,
} from '#db/queries/forgetting.ts';
import { deleteOldKeys } from '#db/queries/idempotency.ts';
import { deleteOldWindows } from '#db/queries/rate-limits.ts';
import { config } from '../config.ts';
import { defineJob } from '../jobs/jobs.ts';
import { deleteLettersOf, deleteOldLetters, listLetterAccounts, outboxOf } from '../mail/outbox.ts';

/** How long what a person leaves behind is kept, where nothing else ends it. `docs/operating/privacy.md` says all of it. */
export const kept = {
  /** The longest window of a limit is a day. */
  limitHours: 48,
  /** Nobody presses twice a day apart. */
  keyHours: 24,
  /** Of a message that was deleted the words, for a report that comes late. */
  deletedWordsDays: 30,
  /** A report that was decided: whether somebody reports at random shows in months. */
  reportDays: 180,
  importDays: 30,
  /** Letters of a site without a mail server. */
  letterDays: 30,
} as const;

/** For how long after the end of an account its late rows are looked for: longer than jobs may stand still. */
const lateHours = 24 * 7;

/** Every hour; what one missed the next one does. */
export const forgettingJob = defineJob<object>({
  name: 'forgetting',
  cron: '25 * * * *',
  retryLimit: 2,
  retryDelay: 60,
  timeout: 600,
  async handle(_, { signal }) {
    await forget(signal);
  },
});

/**
 * Deletes what has been kept long enough. What fails keeps nothing else from being deleted.
 * @throws AggregateError with the reasons of all that failed; the reason of `signal`
 */
export async function forget(signal?: AbortSignal): Promise<void> {
  const outbox = outboxOf(config());
  const steps = [
    () => deleteExpiredSessions(),
    () => deleteExpiredTokens(),
    () => eraseLateRows(lateHours),
    () => deleteOldWindows(kept.limitHours, signal),
    () => deleteOldKeys(kept.keyHours),
    () => deleteEndedMutes(),
    () => deleteDecidedReports(kept.reportDays),
    () => eraseDeletedWords(kept.deletedWordsDays, signal),
    () => deleteOldImports(kept.importDays),
    async () => deleteLettersOf(outbox, await listEndedAccounts(await listLetterAccounts(outbox))),
    () => deleteOldLetters(outbox, kept.letterDays),
  ];
  const faults: unknown[] = [];
  for (const step of steps) {
    signal?.throwIfAborted();
    await step().catch((error: unknown) => faults.push(error));
  }
  if (faults.length > 0) throw new AggregateError(faults, `not all could be forgotten: ${faults.join('; ')}`);
}
