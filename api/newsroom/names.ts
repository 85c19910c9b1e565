import { languages, type Translated } from '#content/locales.ts';
import table from '#content/stars.json';
import { listStarNames, type StarNames } from '#db/queries/newsroom/star-names.ts';

/** A name that is locked: how it is written in each language, and every other form that means it. */
export interface NameEntry {
  names: Translated;
  forms: ReadonlySet<string>;
  /** The star here, if there is one. */
  starId: number | undefined;
  /** What shows that a text is about it, besides its name. */
  related: readonly number[];
  signs: readonly string[];
}

/** A place in a text where a name stands. `end` is exclusive. */
interface Mention {
  entry: NameEntry;
  form: string;
  start: number;
  end: number;
  /** The form may mean something else: it counts only with a second sign. */
  ambiguous: boolean;
}

/** The fixed name table (§3, decision P2) and the names and aliases of the stars in the database, as one. */
export async function loadNames(): Promise<NameBook> {
  return new NameBook(entriesOf(await listStarNames()));
}

function entriesOf(stars: readonly StarNames[]): NameEntry[] {
  const byName = new Map<string, (typeof table)[number]>();
  for (const row of table) byName.set(fold(row.names.ko), row);
  const starRows = new Set<object>();
  const ofStars = stars.map((star): NameEntry => {
    const row = byName.get(fold(star.names.ko ?? star.name)) ?? byName.get(fold(star.name));
    if (row) starRows.add(row);
    const names = Object.fromEntries(
      languages.map((language) => [language, star.names[language] ?? row?.names[language] ?? star.name]),
    ) as Translated;
    const forms = [
      star.name,
      ...Object.values(names),
      ...star.aliases,
      ...(row ? [...Object.values(row.names), ...row.aliases] : []),
    ];
    return { names, forms: new Set(forms), starId: star.id, related: star.related, signs: star.signs };
  });
  const others = table
    .filter((row) => !starRows.has(row))
    .map(
      (row): NameEntry => ({
        names: row.names,
        forms: new Set([...Object.values(row.names), ...row.aliases]),
        starId: undefined,
        related: [],
        signs: [],
      }),
    );
  return [...ofStars, ...others];
}

/** Small letters, one kind of apostrophe and hyphen; the length stays, so that places in the text do. */
function fold(text: string): string {
  const low = text.toLowerCase();
  return (low.length === text.length ? low : text)
    .replace(/[’‘`´]/g, "'")
    .replace(/[‐‑–]/g, '-')
    .replace(/\u00a0/g, ' ');
}

const hangul = /[가-힣ㄱ-ㅎㅏ-ㅣ]/;
const letter = /[\p{L}\p{N}]/u;
/** What may follow a Korean name without a space. */
const particle =
  /^(?:은|는|이|가|을|를|의|에|와|과|도|만|로|으로|께|한테|까지|부터|처럼|보다|라|란|랑|나|야|아|여|씨|님|측|표|발|팬|들|뿐|조차|마저|밖|하고|며|인|였|입니다|다|답|스러|소속|출신|멤버|네|랜드)/;
/** Names in the table that are everyday words. */
const everyday = new Set([
  '아이들',
  '위너',
  '하이라이트',
  '빅뱅',
  '신화',
  '에이스',
  '아이콘',
  '트레저',
  '펜타곤',
  '구구단',
  'ace',
  'winner',
  'highlight',
  'rain',
  'joy',
  'bell',
  'key',
  'sunny',
  'day6',
]);

export class NameBook {
  readonly #byStart = new Map<string, { form: string; folded: string; entries: NameEntry[] }[]>();

  constructor(readonly entries: readonly NameEntry[]) {
    const byForm = new Map<string, { form: string; folded: string; entries: NameEntry[] }>();
    for (const entry of entries) {
      for (const form of entry.forms) {
        const clean = form.normalize('NFC').trim();
        if (clean === '') continue;
        const sameForm = byForm.get(clean);
        if (sameForm) sameForm.entries.push(entry);
        else byForm.set(clean, { form: clean, folded: fold(clean), entries: [entry] });
      }
    }
    for (const each of byForm.values()) {
      const start = each.folded.charAt(0);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), each]);
    }
    for (const forms of this.#byStart.values()) forms.sort((a, b) => b.form.length - a.form.length);
  }

  /** Every place where a name stands, longest match first; a form of several names stands there once per name. */
  find(original: string): Mention[] {
    const text = original.normalize('NFC');
    const folded = fold(text);
    const mentions: Mention[] = [];
    for (let at = 0; at < text.length; ) {
      const hit = this.#at(text, folded, at);
      if (!hit) {
        at += 1;
        continue;
      }
      const end = at + hit.form.length;
      const ambiguous = hit.entries.length > 1 || isAmbiguous(hit.form, text.slice(at, end));
      for (const entry of hit.entries) mentions.push({ entry, form: hit.form, start: at, end, ambiguous });
      at = end;
    }
    return mentions;
  }

  #at(text: string, folded: string, at: number) {
    const candidates = this.#byStart.get(folded.charAt(at));
    if (!candidates) return undefined;
    const before = text.charAt(at - 1);
    return candidates.find(
      ({ form, folded: foldedForm }) =>
        folded.startsWith(foldedForm, at) &&
        opens(form, before) &&
        closes(form, text.slice(at + form.length)),
    );
  }
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
  return !hangul.test(next) || particle.test(after);
}

/** Short names, everyday words and names in another case than their own may mean something else. */
function isAmbiguous(form: string, writtenForm: string): boolean {
  if (everyday.has(form.toLowerCase())) return true;
  if (hangul.test(form)) return form.replace(/\s/g, '').length <= 2;
  if (form.length <= 2) return true;
  return form.length <= 5 && form !== writtenForm;
}

/** One name that a text is about. */
export interface MentionedName {
  entry: NameEntry;
  count: number;
  inTitle: boolean;
  score: number;
}

/**
 * The names that a text is about, the most important first. A form that may mean something else counts
 * only with a second sign: another form of the name, its group or members, its agency or fandom.
 */
export function namesIn(book: NameBook, title: string, text: string): MentionedName[] {
  const fullText = `${title}\n\n${text}`.normalize('NFC');
  const titleEnd = title.normalize('NFC').length;
  const mentions = book.find(fullText);
  const forms = new Map<NameEntry, Set<string>>();
  for (const { entry, form } of mentions) forms.set(entry, (forms.get(entry) ?? new Set()).add(fold(form)));
  const stars = new Set(mentions.flatMap(({ entry }) => entry.starId ?? []));
  const folded = fold(fullText);
  const isConfirmed = (entry: NameEntry) =>
    (forms.get(entry)?.size ?? 0) > 1 ||
    entry.related.some((id) => stars.has(id)) ||
    [...forms.keys()].some(
      (other) => other !== entry && other.related.some((id) => entry.related.includes(id)),
    ) ||
    entry.signs.some((sign) => sign.length > 1 && folded.includes(fold(sign)));
  const unambiguous = new Set(mentions.filter(({ ambiguous }) => !ambiguous).map(({ entry }) => entry));
  const countedMentions = mentions.filter(({ entry }) => unambiguous.has(entry) || isConfirmed(entry));
  const byEntry = new Map<NameEntry, MentionedName & { first: number }>();
  for (const { entry, start } of countedMentions) {
    const mentioned = byEntry.get(entry) ?? { entry, count: 0, inTitle: false, score: 0, first: start };
    mentioned.count += 1;
    mentioned.inTitle ||= start < titleEnd;
    byEntry.set(entry, mentioned);
  }
  return [...byEntry.values()]
    .map((each) => ({ ...each, score: (each.inTitle ? 50 : 0) + Math.min(each.count, 20) * 2 }))
    .sort((a, b) => b.score - a.score || a.first - b.first)
    .map(({ first: _, ...each }) => each);
}
