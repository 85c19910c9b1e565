import { countContent } from '#db/queries/admin/stats.ts';
import { config } from '../config.ts';
import { readSources } from '../newsroom/sources.ts';

/** What a new site needs, in the order in which one does it. */
export const setupSteps = ['stars', 'sources', 'model', 'mail', 'storage', 'story', 'backup'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** `advised`: the site works without it. */
export type SetupState = 'done' | 'open' | 'advised';

/** How far a site is on its way from empty to running. @returns undefined once it has stars and a first story */
export async function readSetup(): Promise<Record<SetupStep, SetupState> | undefined> {
  const [{ totalStars, totalArticles }, sources] = await Promise.all([countContent(), readSources()]);
  if (totalStars > 0 && totalArticles > 0) return undefined;
  const { ai, smtpUrl, storage, backupUrl } = config();
  const needed = (done: boolean) => (done ? 'done' : 'open');
  return {
    stars: needed(totalStars > 0),
    sources: needed(sources.length > 0),
    model: ai ? 'done' : 'advised',
    mail: smtpUrl ? 'done' : 'advised',
    storage: storage ? 'done' : 'advised',
    story: needed(totalArticles > 0),
    backup: backupUrl ? 'done' : 'advised',
  };
}
