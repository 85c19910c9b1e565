import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';
import { waitForRenderGate } from '../boundary/gate.ts';
import type { StarFilterWords } from './words.ts';

let dialogLoad: Promise<(opener: Element | null) => void> | undefined;

/** Loads the dialog, and with it React, unless a pointer came near before, and opens it; the focus comes back to the opener. */
export async function openStarFilter(): Promise<void> {
  const opener = document.activeElement;
  const hideSpinner = await waitForRenderGate();
  try {
    dialogLoad ??= load();
    const openDialog = await dialogLoad;
    openDialog(opener);
  } catch (error) {
    dialogLoad = undefined;
    throw error;
  } finally {
    hideSpinner();
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
