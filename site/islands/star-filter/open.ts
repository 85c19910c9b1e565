import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';
import { beforeMounting } from '../boundary/gate.ts';
import type { StarFilterWords } from './words.ts';

let opening: Promise<(opener: Element | null) => void> | undefined;

/** Loads the dialog, and with it React, unless a pointer came near before, and opens it; the focus comes back to the opener. */
export async function openStarFilter(): Promise<void> {
  const opener = document.activeElement;
  const mounted = await beforeMounting();
  try {
    opening ??= load();
    const open = await opening;
    open(opener);
  } catch (error) {
    opening = undefined;
    throw error;
  } finally {
    mounted();
  }
}

async function load(): Promise<(opener: Element | null) => void> {
  const language = document.documentElement.lang;
  const lang = isLang(language) ? language : 'ko';
  const [{ mountStarFilter }, words] = await Promise.all([
    import('./mount.tsx'),
    fetchPatiently(`/${lang}/words/filter.json`, {}, (answer): Promise<StarFilterWords> => answer.json(), {
      retries: 1,
    }),
  ]);
  return mountStarFilter(lang, words);
}
