import { storageKey } from '#content/site.ts';
import { storedAtom } from '../../stores/stored-atom.ts';

const most = 6;

/** What was searched for on this device, the latest first. It is sent to nobody. */
export const recentSearches = storedAtom<readonly string[]>(`${storageKey}:searches`, [], readTexts);

/** Reads what a browser kept, whatever it is. */
function readTexts(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string').slice(0, most)
    : [];
}

/** Puts a search in front of the others, each once. */
export function rememberSearch(text: string): void {
  const search = text.trim();
  if (search === '') return;
  recentSearches.set([search, ...recentSearches.get().filter((each) => each !== search)].slice(0, most));
}
