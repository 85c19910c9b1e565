import { createRoot } from 'react-dom/client';
import type { Lang } from '#content/locales.ts';
import { StarFilter } from './StarFilter.tsx';
import type { StarFilterWords } from './words.ts';

/** Puts the dialog into the page once and answers the function that opens it. */
export function mountStarFilter(lang: Lang, words: StarFilterWords): (opener: Element | null) => void {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  let openings = 0;
  return (opener) => {
    openings += 1;
    root.render(
      <StarFilter
        key={openings}
        lang={lang}
        words={words}
        onClosed={() => {
          if (opener instanceof HTMLElement) opener.focus();
        }}
      />,
    );
  };
}
