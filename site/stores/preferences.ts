import { isLang, type Lang } from '#content/locales.ts';
import { storageKey } from '#content/site.ts';
import { fromStorage } from '../client/storage.ts';
import { storedAtom } from './stored-atom.ts';

/** §3 Local preferences. */
interface Preferences {
  selectedStarIds: readonly number[];
  language: Lang | undefined;
}

/** Reads what a browser kept, whatever it is: unknown values become "nothing chosen". */
function decodePreferences(text: string): Preferences {
  const { selectedStarIds, language }: Partial<Record<keyof Preferences, unknown>> = JSON.parse(text);
  const ids = Array.isArray(selectedStarIds) ? selectedStarIds : [];
  return {
    selectedStarIds: [...new Set(ids.filter((id): id is number => Number.isSafeInteger(id) && id > 0))],
    language: isLang(language) ? language : undefined,
  };
}

/** Favourite stars (`favourites.ts`) and language, shared by every tab. Lives in the browser only: no page depends on it when it is rendered. */
export const preferences = storedAtom<Preferences>(
  `${storageKey}:preferences`,
  { selectedStarIds: [], language: undefined },
  decodePreferences,
);

/** Stores an explicit language choice, a Korean one too (L2), in both entries of §3. */
export function chooseLanguage(language: Lang): void {
  fromStorage(() => localStorage.setItem(`${storageKey}:language`, language));
  preferences.set({ ...preferences.get(), language });
}
