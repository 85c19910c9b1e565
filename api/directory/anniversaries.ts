import { Temporal } from 'temporal-polyfill';
import { languages } from '#content/locales.ts';
import { database, type Transaction } from '#db/client.ts';
import {
  type AnniversaryTitle,
  listStarIdsAfter,
  writeAnniversaries,
} from '#db/queries/directory/anniversaries.ts';
import { invalidate } from '../invalidation.ts';
import { defineJob } from '../jobs/jobs.ts';
import { areaWords } from '../language/words.ts';
import type { Tag } from '../tags.ts';

/** Nobody and nothing in the directory is older. */
const MOST_YEARS = 150;

/** Stars whose rows are locked at once by the daily plan. */
const STARS_AT_ONCE = 500;

interface Said {
  titles: AnniversaryTitle[];
  patterns: string[];
}
let said: Said | undefined;

/** What each birthday and anniversary is called in every language, made once: their forms follow the language's rules of ordinals. */
function sayAll(): Said {
  if (said) return said;
  const titles = languages.flatMap((language) => {
    const t = areaWords(language, 'reminders');
    const counted = (n: number) => ({ ordinal: true, count: n, name: '{name}' }) as const;
    return Array.from({ length: MOST_YEARS }, (_, index) => index + 1).flatMap((n): AnniversaryTitle[] => [
      { fact: 'birthday', language, n, title: t('birthdayTitle', counted(n)) },
      { fact: 'anniversary', language, n, title: t('anniversaryTitle', counted(n)) },
    ]);
  });
  const patterns = titles.map(({ n, title }) => title.replace(String(n), '%').replace('{name}', '%'));
  said = { titles, patterns: [...new Set(patterns)] };
  return said;
}

/**
 * Makes the birthdays and anniversaries of these stars the events that follow from the directory (decision E10). Call it in the
 * transaction that writes the stars' dates, names or state, once for all of them; after the commit `invalidate` what it answers.
 * @returns tags of the events that changed
 */
export async function planAnniversaries(
  tx: Transaction,
  starIds: readonly number[],
  now = new Date(),
): Promise<Tag[]> {
  if (starIds.length === 0) return [];
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('Asia/Seoul')
    .toPlainDate()
    .toString();
  const changed = await writeAnniversaries(tx, { starIds, today, ...sayAll() });
  if (changed.length === 0) return [];
  const things = changed.flatMap(({ eventId, starId }): Tag[] => [`event:${eventId}`, `star:${starId}`]);
  return ['events', 'feed', 'sitemap', ...new Set(things)];
}

/** The same for every star: another year begins, and what a write could not do is made good. */
export async function planAllAnniversaries(now = new Date(), signal?: AbortSignal): Promise<void> {
  let starIds = await listStarIdsAfter(0, STARS_AT_ONCE);
  while (starIds.length > 0) {
    signal?.throwIfAborted();
    const part = starIds;
    const changed = await database().transaction((tx) => planAnniversaries(tx, part, now));
    // What a part changed is told though the next one fails.
    if (changed.length > 0) await invalidate(changed);
    starIds = await listStarIdsAfter(Math.max(...part), STARS_AT_ONCE);
  }
}

/** Just after midnight in Korea, where a birthday begins. */
export const anniversaryJob = defineJob<object>({
  name: 'anniversaries',
  cron: '5 15 * * *',
  retryLimit: 3,
  retryDelay: 60,
  timeout: 300,
  async handle(_, { signal }) {
    await planAllAnniversaries(new Date(), signal);
  },
});
