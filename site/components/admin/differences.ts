import { eventTypes } from '#content/event-types.ts';
import { type Lang, languages } from '#content/locales.ts';
import { writing } from '#content/writing.ts';
import type { T } from '../../i18n/words.ts';
import type { FormResult } from '../../lib/admin/forms.ts';
import { fieldName } from './failure.ts';

/** The fields of a form by their names, as it sends them; a box that is ticked is `on`, another one is empty. */
export type FormFields = ReadonlyMap<string, string>;

/** A field in which an editor's text is not what is saved. */
export interface Difference {
  label: string;
  language: Lang | undefined;
  /** Whether the label says the language. */
  hasLanguage: boolean;
  yours: string;
  saved: string;
}

/** What a form for something that several people edit shows. */
interface EditState {
  /** What was typed into this form; empty when it is fresh. */
  typed: FormFields;
  /** The version of which the editor knows: it is sent along, so that nobody's newer words are erased unseen. */
  version: string | undefined;
  /** Prints of the fields of that version, as the form sends them along. */
  opened: string;
  /** When somebody was faster: what is another one by now. */
  differences: readonly Difference[];
  /** Fields in which something else was typed than what is saved. */
  unsaved: ReadonlySet<string>;
}

interface EditOptions {
  /** A value as it is read, where a form says it by a code. */
  say?: (name: string, value: string) => string;
  /** The fields that the button saves which was pressed, where a form has several that save a part each. */
  part?: readonly string[];
  /** Nothing of it can be saved any more: all that was typed is shown beside what is saved. */
  isClosed?: boolean;
}

/**
 * @param saved the fields as they are saved now
 * @param version of these; undefined for what has none, or is new
 */
export function editStateOf(
  t: T,
  formResult: FormResult,
  saved: FormFields,
  version: string | undefined,
  { say = (_, value) => readableValue(t, value), part, isClosed = false }: EditOptions = {},
): EditState {
  const isOwn = version === undefined || formResult.typed.has('version');
  const typed: FormFields = isOwn ? formResult.typed : new Map();
  const opened = printsOf(saved);
  if (typed.size === 0) return { typed, version, opened, differences: [], unsaved: new Set() };
  // Whoever was shown the differences has read the newest version: saving once more is meant.
  if (formResult.isOutdated || (formResult.failure && isClosed)) {
    const merged = withUntouched(typed, saved);
    const compared =
      part && !isClosed ? new Map([...saved].filter(([name]) => !isAsOpened(typed, saved, name))) : saved;
    const differences = differencesOf(t, merged, compared, say);
    return { typed: merged, version, opened, differences, unsaved: unsavedIn(merged, saved) };
  }
  if (!formResult.failure) return restOf(typed, saved, version, part);
  return {
    typed,
    version: formResult.unconfirmed?.version ?? typed.get('version'),
    opened: typed.get('opened') ?? opened,
    differences: [],
    unsaved: unsavedIn(typed, saved),
  };
}

/** What is left in a form of which a part was saved, or about whose thing something else was done. */
function restOf(
  typed: FormFields,
  saved: FormFields,
  version: string | undefined,
  part: readonly string[] = [],
): EditState {
  const merged = new Map(withUntouched(typed, saved));
  for (const name of part) merged.set(name, saved.get(name) ?? '');
  const unsaved = unsavedIn(merged, saved);
  const isKnown = [...unsaved].every((name) => isAsOpened(typed, saved, name));
  const opened = [...saved].map(([name, value]) => {
    const print = unsaved.has(name) ? printsIn(typed).get(name) : undefined;
    return `${name}=${print ?? printOf(value)}`;
  });
  return {
    typed: merged,
    // Whoever has not seen what somebody else has saved meanwhile is still told of it.
    version: isKnown ? version : typed.get('version'),
    opened: opened.join(' '),
    differences: [],
    unsaved,
  };
}

/** Whether somebody else has saved another text in one of these fields since the form was opened. */
export const isOutdated = (typed: FormFields, saved: FormFields, names: readonly string[]): boolean => {
  const unsaved = unsavedIn(typed, saved);
  return names.some((name) => unsaved.has(name) && !isAsOpened(typed, saved, name));
};

const isAsOpened = (typed: FormFields, saved: FormFields, name: string): boolean =>
  printsIn(typed).get(name) === printOf(saved.get(name));

function unsavedIn(typed: FormFields, saved: FormFields): Set<string> {
  const names = [...saved.keys()].filter((name) => typed.has(name));
  return new Set(names.filter((name) => normalized(typed.get(name)) !== normalized(saved.get(name))));
}

/** A field's text in a few letters: forms carry it, where the text itself would be sent twice. */
const printOf = (text: string | undefined): string => Bun.hash.crc32(normalized(text)).toString(36);

const printsOf = (fields: FormFields): string =>
  [...fields].map(([name, value]) => `${name}=${printOf(value)}`).join(' ');

/** The prints that a form was opened with, by the names of its fields. */
const printsIn = (typed: FormFields): ReadonlyMap<string, string> =>
  new Map(
    typed
      .get('opened')
      ?.split(' ')
      .map((each) => {
        const at = each.lastIndexOf('=');
        return [each.slice(0, at), each.slice(at + 1)];
      }),
  );

/** What was typed, and in fields that are as they were opened what somebody else has saved there meanwhile. */
function withUntouched(typed: FormFields, saved: FormFields): FormFields {
  const opened = printsIn(typed);
  const untouched = [...saved].filter(([name]) => opened.get(name) === printOf(typed.get(name)));
  return new Map([...typed, ...untouched]);
}

const normalized = (text: string | undefined) => (text ?? '').replace(/\r\n/g, '\n').trim();

function differencesOf(
  t: T,
  typed: FormFields,
  saved: FormFields,
  say: (name: string, value: string) => string,
): Difference[] {
  return [...saved].flatMap(([name, value]) => {
    const [yours, savedText] = [normalized(typed.get(name)), normalized(value)];
    if (yours === savedText) return [];
    const language = languages.find((each) => name.endsWith(`.${each}`));
    const nativeName = language && writing[language].nativeName;
    const label = fieldName(t, name, nativeName);
    return [
      {
        label,
        language,
        hasLanguage: nativeName !== undefined && label.includes(nativeName),
        yours: say(name, yours),
        saved: say(name, savedText),
      },
    ];
  });
}

/** A value as it is read: what a form says by a code is said in a word or a sign. */
function readableValue(t: T, value: string): string {
  const type = eventTypes.find((each) => each === value);
  if (type) return t(`events:type_${type}`);
  return value === 'on' ? '✓' : value;
}
