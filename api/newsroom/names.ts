import { languages, type Translated } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { findStarNamesState, listStarNames, type StarNames } from '#db/queries/newsroom/star-names.ts';
import { isParticle } from './name-cues.ts';
import { fold, givenNames, hangul, letter, type Weight, weightOf } from './name-forms.ts';
import { formsFromTable, type KnownFromTable, nameFromTable, rowsByStar } from './name-table.ts';

/** A name that is locked: how it is written in each language, and every other form that means it. */
export interface NameEntry {
  names: Translated;
  forms: ReadonlySet<string>;
  /** Forms that mean it only beside its group: its real name, its given name without the family's. */
  hints: ReadonlySet<string>;
  isGroup: boolean;
  /** A group, a soloist or somebody of the fixed table: a short form alone is enough where it is one's only. */
  isKnownAlone: boolean;
  /** The real name in Korean, if it is known: the family name before or after a given name must fit it. */
  realName: string | undefined;
  /** The star here, if there is one. */
  starId: number | undefined;
  /** What shows that a text is about it, besides its name: its groups, members and units. */
  related: readonly number[];
  signs: readonly string[];
}

/** What a form means, and how much it says as it is written. */
export interface NameUse {
  entry: NameEntry;
  weight: Weight;
}

/** A place in a text where a name stands, and all that it may mean. `end` is exclusive. */
export interface NamePlace {
  form: string;
  start: number;
  end: number;
  uses: readonly NameUse[];
}

/** A place in a text where a name of that entry stands. */
interface Mention {
  entry: NameEntry;
  form: string;
  start: number;
  end: number;
  /** The form may mean something else: it counts only with a second sign. */
  ambiguous: boolean;
}

let lastBook: { state: string; book: NameBook } | undefined;

/**
 * The fixed name table (§3, decision P2) and the names and aliases of the stars in the database, as one. Made anew when one of them changed:
 * a thousand stars take longer to read than a story.
 */
export async function loadNames(): Promise<NameBook> {
  const state = await findStarNamesState();
  if (lastBook?.state !== state) lastBook = { state, book: new NameBook(entriesOf(await listStarNames())) };
  return lastBook.book;
}

/** Entries of the stars, each with its row of the fixed table, and of the rows that are no star's. */
export function entriesOf(stars: readonly StarNames[]): NameEntry[] {
  const { known, others } = rowsByStar(stars);
  const ofStars = stars.map((star) => entryOfStar(star, known.get(star)));
  const ofRows = others.map(
    (row): NameEntry => ({
      names: row.names,
      forms: new Set([...Object.values(row.names), ...row.aliases]),
      hints: new Set(),
      isGroup: row.kind === 'group',
      isKnownAlone: true,
      realName: undefined,
      starId: undefined,
      related: [],
      signs: [],
    }),
  );
  return [...ofStars, ...ofRows];
}

function entryOfStar(star: StarNames, known: KnownFromTable | undefined): NameEntry {
  const names = Object.fromEntries(
    languages.map((language) => [
      language,
      star.names[language] ?? nameFromTable(known, star, language) ?? star.names.en ?? star.name,
    ]),
  ) as Translated;
  const forms = new Set(
    [star.name, ...Object.values(names), ...star.aliases, ...formsFromTable(known, star)].filter(
      (form) => form !== '',
    ),
  );
  const hints = star.isGroup
    ? []
    : [...star.realNames, ...givenNames(names.ko, star.names.en ?? star.name)].filter(
        (form) => !forms.has(form),
      );
  return {
    names,
    forms,
    hints: new Set(hints),
    isGroup: star.isGroup,
    isKnownAlone: star.isGroup || known?.isProven === true || star.related.length === 0,
    realName: star.realNames.find((name) => hangul.test(name)) ?? names.ko,
    starId: star.id,
    related: star.related,
    signs: star.signs,
  };
}

interface Form {
  folded: string;
  uses: { entry: NameEntry; form: string; isHint: boolean }[];
}

export class NameBook {
  readonly #byStart = new Map<string, Form[]>();

  constructor(readonly entries: readonly NameEntry[]) {
    const byFolded = new Map<string, Form>();
    for (const entry of entries) {
      for (const form of [...entry.forms, ...entry.hints]) {
        const clean = normalized(form).trim();
        if (clean === '') continue;
        const folded = fold(clean);
        const same = byFolded.get(folded) ?? { folded, uses: [] };
        byFolded.set(folded, same);
        same.uses.push({ entry, form: clean, isHint: !entry.forms.has(form) });
      }
    }
    for (const each of byFolded.values()) {
      const start = each.folded.charAt(0);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), each]);
    }
    for (const forms of this.#byStart.values()) forms.sort((a, b) => b.folded.length - a.folded.length);
  }

  /** Every place where a name stands, longest match first, with all that it may mean there. */
  places(original: string): NamePlace[] {
    const text = normalized(original);
    const folded = fold(text);
    const places: NamePlace[] = [];
    for (let at = 0; at < text.length; ) {
      const place = this.#at(text, folded, at);
      if (place) places.push(place);
      at = place?.end ?? at + 1;
    }
    return places;
  }

  /** Every place where a name stands; a form of several names stands there once per name. */
  find(original: string): Mention[] {
    return this.places(original).flatMap(({ form, start, end, uses }) =>
      uses.map(({ entry, weight }) => ({
        entry,
        form,
        start,
        end,
        ambiguous: weight !== 'sure' || uses.length > 1,
      })),
    );
  }

  #at(text: string, folded: string, at: number): NamePlace | undefined {
    const candidates = this.#byStart.get(folded.charAt(at));
    if (!candidates) return undefined;
    const before = text.charAt(at - 1);
    for (const { folded: form, uses } of candidates) {
      if (!opens(form, before)) continue;
      const end = endOf(form, folded, at);
      if (end === undefined || !closes(form, text.slice(end, end + 12))) continue;
      const written = text.slice(at, end);
      const weighed = uses.flatMap(({ entry, form: own, isHint }) => {
        const weight = weightOf(own, written, entry);
        return weight ? [{ entry, own, weight: isHint ? ('hint' as const) : weight }] : [];
      });
      const distinct = [...Map.groupBy(weighed, ({ entry }) => entry).values()].map(strongest);
      if (distinct.length === 0) continue;
      // `BoA` is not `Boa`, where both are somebody's.
      const exact = distinct.filter(({ own }) => own === written);
      const meant = /\p{Lu}.*\p{Lu}/u.test(written) && exact.length > 0 ? exact : distinct;
      return {
        form,
        start: at,
        end,
        uses: meant.map(({ entry, weight }) => ({ entry, weight })),
      };
    }
    return undefined;
  }
}

const order: readonly Weight[] = ['sure', 'short', 'word', 'hint'];
/** Of one entry's forms that differ in small and capital letters, the one that says most. */
function strongest<Use extends { weight: Weight }>(uses: readonly Use[]): Use {
  return uses.reduce((best, use) => (order.indexOf(use.weight) < order.indexOf(best.weight) ? use : best));
}

/**
 * Where a form ends that begins there. The text may write a Latin name with hyphens (`Won-young`), a full one with spaces (`Jang Won Young`),
 * and Korean words without theirs (`키스오브라이프`).
 */
function endOf(form: string, text: string, at: number): number | undefined {
  if (text.startsWith(form, at)) return at + form.length;
  const isFull = form.includes(' ');
  const isKorean = hangul.test(form);
  let here = at;
  for (let i = 0; i < form.length; i += 1) {
    const sign = form.charAt(i);
    if (text.charAt(here) === sign) {
      here += 1;
      continue;
    }
    if ((sign === '-' || (sign === ' ' && isKorean)) && i > 0) continue;
    const next = text.charAt(here);
    if (i > 1 && !isKorean && (next === '-' || (next === ' ' && isFull)) && text.charAt(here + 1) === sign) {
      here += 2;
      continue;
    }
    return undefined;
  }
  return here;
}

const opens = (form: string, before: string): boolean =>
  before === '' ||
  (hangul.test(form.charAt(0)) ? !hangul.test(before) : !letter.test(before) || hangul.test(before)) ||
  !letter.test(form.charAt(0));

function closes(form: string, after: string): boolean {
  const next = after.charAt(0);
  const last = form.charAt(form.length - 1);
  if (next === '' || !letter.test(next) || !letter.test(last)) return true;
  if (!hangul.test(last)) return hangul.test(next);
  return !hangul.test(next) || isParticle(form, after);
}
