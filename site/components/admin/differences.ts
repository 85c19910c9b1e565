import { eventTypes } from '#content/event-types.ts';
import { type Lang, languages } from '#content/locales.ts';
import type { T } from '../../i18n/words.ts';
import type { FormResult } from '../../lib/admin/forms.ts';
import { fieldName } from './failure.ts';

/** The fields of a form by their names, as it sends them; a box that is ticked is `on`, another one is empty. */
export type FormFields = ReadonlyMap<string, string>;

/** A field in which an editor's text is not what is saved. */
export interface Difference {
  label: string;
  language: Lang | undefined;
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
}

/**
 * @param saved the fields as they are saved now
 * @param version of these; undefined for something new
 * @param say a value as it is read, where a form says it by a code
 */
export function editStateOf(
  t: T,
  formResult: FormResult,
  saved: FormFields,
  version: string | undefined,
  say: (name: string, value: string) => string = (_, value) => readableValue(t, value),
): EditState {
  const isOwn = version === undefined || formResult.typed.has('version');
  const typed: FormFields = isOwn ? formResult.typed : new Map();
  const opened = printsOf(saved);
  if (typed.size === 0) return { typed, version, opened, differences: [] };
  // Whoever was shown the differences has read the newest version: saving once more is meant.
  if (formResult.isOutdated) {
    const merged = withUntouched(typed, saved);
    return { typed: merged, version, opened, differences: differencesOf(t, merged, saved, say) };
  }
  return {
    typed,
    version: formResult.unconfirmed?.version ?? typed.get('version'),
    opened: typed.get('opened') ?? opened,
    differences: [],
  };
}

/** A field's text in a few letters: forms carry it, where the text itself would be sent twice. */
const printOf = (text: string | undefined): string => Bun.hash.crc32(normalized(text)).toString(36);

const printsOf = (fields: FormFields): string =>
  [...fields].map(([name, value]) => `${name}=${printOf(value)}`).join(' ');

/** What was typed, and in fields that are as they were opened what somebody else has saved there meanwhile. */
function withUntouched(typed: FormFields, saved: FormFields): FormFields {
  const opened = new Set(typed.get('opened')?.split(' '));
  const untouched = [...saved].filter(([name]) => opened.has(`${name}=${printOf(typed.get(name))}`));
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
    return [
      {
        label: fieldName(t, name),
        language,
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
