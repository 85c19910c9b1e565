/** Whose stories the home feed shows. */
import { atom } from 'nanostores';

/**
 * The stars, as ids joined by commas: '' for everybody's stories, undefined while those of the favourites are waited for. The
 * document's `data-feed` tells the style sheet (`home.css`), which shows boxes until then.
 */
export const feedStars = atom<string | undefined>(undefined);

feedStars.listen((stars) => {
  document.documentElement.dataset.feed = stars;
});

/** A feed that was still waited for is shown as it came from the server, with everybody's stories. */
export function stopWaitingForFeed(): void {
  if (feedStars.get() === undefined) feedStars.set('');
}
