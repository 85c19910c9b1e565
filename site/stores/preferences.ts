import { persistentAtom } from '@nanostores/persistent';
import { isLang, type Lang } from '#content/locales.ts';
import { storageKey } from '#content/site.ts';

/** §3 Local preferences. */
interface Preferences {
  selectedStarIds: readonly number[];
  language: Lang | undefined;
}

const none: Preferences = { selectedStarIds: [], language: undefined };

/** Reads what a browser kept, whatever it is: unknown shapes and values become "nothing chosen". */
function decodePreferences(text: string): Preferences {
  try {
    const value: Partial<Record<keyof Preferences, unknown>> | null = JSON.parse(text);
    if (!value || typeof value !== 'object') return none;
    const ids = Array.isArray(value.selectedStarIds) ? value.selectedStarIds : [];
    return {
      selectedStarIds: [...new Set(ids.filter((id): id is number => Number.isSafeInteger(id) && id > 0))],
      language: isLang(value.language) ? value.language : undefined,
    };
  } catch {
    return none;
  }
}

/** Favourite stars (`favourites.ts`) and language, shared by every tab. Lives in the browser only: no page depends on it when it is rendered. */
export const preferences = persistentAtom<Preferences>(`${storageKey}:preferences`, none, {
  encode: JSON.stringify,
  decode: decodePreferences,
});

/** The language that the visitor chose in the menu: the second entry of §3. An explicit Korean is a choice (L2). */
const languageChoice = persistentAtom<string>(`${storageKey}:language`, '');

/** Stores an explicit language choice in both entries. */
export function chooseLanguage(language: Lang): void {
  languageChoice.set(language);
  preferences.set({ ...preferences.get(), language });
}
