import { isLang } from '#content/locales.ts';

let opening: Promise<(opener: Element | null) => void> | undefined;

/** Loads the dialog on first use (React arrives here and not before) and opens it; the focus comes back to the opener. */
export async function openStarFilter(): Promise<void> {
  const opener = document.activeElement;
  opening ??= load();
  const open = await opening.catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  open(opener);
}

async function load(): Promise<(opener: Element | null) => void> {
  const language = document.documentElement.lang;
  const lang = isLang(language) ? language : 'ko';
  const [{ mountStarFilter }, words] = await Promise.all([
    import('./mount.tsx'),
    fetch(`/${lang}/words/filter.json`).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status}: words`);
      return answer.json();
    }),
  ]);
  return mountStarFilter(lang, words);
}
