import {
  attributes,
  introduces,
  joins,
  namesActivity,
  namesGroup,
  namesOtherTrade,
  namesPerson,
} from './name-cues.ts';
import { fold, isSurname, spellsSurname } from './name-forms.ts';
import type { NameBook, NameEntry, NamePlace, NameUse } from './names.ts';

/** One name that a text is about. */
export interface MentionedName {
  entry: NameEntry;
  count: number;
  inTitle: boolean;
  score: number;
}

/** A name of somebody whom the text does not say: it may be each of them. */
export interface DoubtfulName {
  /** As it is written. */
  name: string;
  inTitle: boolean;
  score: number;
  starIds: number[];
}

/** What a text says of names. */
export interface NameReading {
  /** The most important first. */
  names: MentionedName[];
  doubts: DoubtfulName[];
}

/**
 * The names that a text is about. A form that may mean something or somebody else counts only with what shows whom it means: the group beside it or
 * in the text, others of the group, another form, a role (decision N8). Who stays in doubt is told, where a person is named at all.
 * @param known stars of whom it is known that the text is about them
 */
export function readNames(
  book: NameBook,
  title: string,
  text: string,
  known: readonly number[] = [],
): NameReading {
  const fullText = `${title}\n\n${text}`.normalize('NFC');
  return new Reading(book, fullText, title.normalize('NFC').length, known).read();
}

/** The names that a text is about, the most important first. */
export const namesIn = (
  book: NameBook,
  title: string,
  text: string,
  known?: readonly number[],
): MentionedName[] => readNames(book, title, text, known).names;

interface Place extends NamePlace {
  /** What it may mean still. */
  uses: NameUse[];
  meant: NameEntry | undefined;
  before: string;
  after: string;
  sentence: string;
  sentenceAfter: string;
  isPerson: boolean;
  /** Whether the name before it belongs to the same list. */
  isJoined: boolean;
  /** Groups that stand directly beside it, or beside its list. */
  beside: ReadonlySet<NameEntry>;
}

const isRelated = (a: NameEntry, b: NameEntry): boolean =>
  (b.starId !== undefined && a.related.includes(b.starId)) ||
  (a.starId !== undefined && b.related.includes(a.starId));

class Reading {
  readonly #folded: string;
  readonly #places: Place[];
  /** What the text names for certain. */
  readonly #certain = new Set<NameEntry>();

  constructor(
    book: NameBook,
    readonly text: string,
    readonly titleEnd: number,
    known: readonly number[],
  ) {
    this.#folded = fold(text);
    this.#places = book.places(text).map((place) => this.#look(place));
    for (const [at, place] of this.#places.entries()) {
      const last = this.#places[at - 1];
      place.isJoined = last !== undefined && joins(text.slice(last.end, place.start));
    }
    this.#placeGroups();
    const knownIds = new Set(known);
    if (knownIds.size > 0)
      for (const entry of book.entries)
        if (entry.starId !== undefined && knownIds.has(entry.starId)) this.#certain.add(entry);
  }

  read(): NameReading {
    for (const place of this.#places) {
      const [only, other] = place.uses;
      if (only?.weight === 'sure' && !other) this.#settle(place, only.entry);
    }
    this.#dropOthersMembers();
    let settled: number;
    do {
      settled = this.#countSettled();
      this.#settleBeside();
      this.#settleLists();
      this.#settleByContext();
      this.#settleAlone();
    } while (this.#countSettled() > settled);
    return { names: this.#names(), doubts: this.#doubts() };
  }

  #look(place: NamePlace): Place {
    const { start, end } = place;
    const lineStart =
      Math.max(
        this.text.lastIndexOf('\n', start - 1),
        ...[...'.!?…'].map((s) => this.text.lastIndexOf(`${s} `, start - 1)),
      ) + 1;
    const before = this.text.slice(Math.max(lineStart, start - 40), start);
    const rest = this.text.slice(end, end + 160);
    const [sentenceAfter = ''] = rest.split(/[!?…\n]|\.\s/, 1);
    const after = rest.slice(0, 40);
    return {
      ...place,
      uses: usesAmong(place, before, after),
      meant: undefined,
      before,
      after,
      sentence: this.text.slice(lineStart, end) + sentenceAfter,
      sentenceAfter,
      isPerson: namesPerson(before, after, sentenceAfter),
      isJoined: false,
      beside: new Set(),
    };
  }

  /** Notes the groups beside each name and hands them along a list: `에스파 윈터와 카리나`, `Joy and Yeri of Red Velvet`. */
  #placeGroups(): void {
    const between = (a: Place | undefined, b: Place | undefined) => a && b && this.text.slice(a.end, b.start);
    const groupsOf = (place: Place | undefined) =>
      (place?.uses ?? []).flatMap(({ entry }) => (entry.isGroup ? [entry] : []));
    const all = this.#places;
    for (const [at, place] of all.entries()) {
      const last = all[at - 1];
      const next = all[at + 1];
      const gapBefore = between(last, place);
      const gapAfter = between(place, next);
      place.beside = new Set([
        ...(gapBefore !== undefined && introduces(gapBefore) ? groupsOf(last) : []),
        ...(gapAfter !== undefined && attributes(gapAfter) ? groupsOf(next) : []),
        // `첫사랑(CSR) 수아`: a group in two scripts.
        ...(gapBefore !== undefined && introduces(gapBefore.replace(/^\)/, '')) ? groupsOf(last) : []),
      ]);
    }
    const inherit = (place: Place | undefined, from: Place | undefined) => {
      if (!place || !from || from.beside.size === 0) return;
      const groups = [...from.beside].filter((group) =>
        place.uses.some(({ entry }) => isRelated(entry, group)),
      );
      if (groups.length > 0) place.beside = new Set([...place.beside, ...groups]);
    };
    for (const [at, place] of all.entries()) if (place.isJoined) inherit(place, all[at - 1]);
    for (let at = all.length - 1; at > 0; at -= 1) if (all[at]?.isJoined) inherit(all[at - 1], all[at]);
  }

  /** A name beside a group that is certain and has no such member is another group's, of whom we know nothing: `방탄소년단 지민`. */
  #dropOthersMembers(): void {
    for (const place of this.#places) {
      const groups = [...place.beside].filter((group) => this.#certain.has(group));
      if (place.meant || groups.length === 0) continue;
      if (place.uses.some(({ entry }) => groups.some((group) => isRelated(entry, group)))) continue;
      place.uses = place.uses.filter(({ entry }) => entry.isGroup || entry.starId === undefined);
    }
  }

  /** A group and its member side by side show each other, unless both may be mere words. */
  #settleBeside(): void {
    for (const place of this.#open()) {
      const uses = place.uses.filter(({ entry }) =>
        [...place.beside].some((group) => isRelated(entry, group)),
      );
      const [use, other] = uses;
      if (!use || other) continue;
      const groups = [...place.beside].filter((group) => isRelated(use.entry, group));
      const [group] = groups;
      const groupPlace = this.#places.find(({ uses: each }) => each.some(({ entry }) => entry === group));
      const isPlain = use.weight === 'word' && groupPlace?.uses.every(({ weight }) => weight === 'word');
      if (!group || (isPlain && !this.#certain.has(group) && !place.isPerson && !isSubject(place))) continue;
      this.#settle(place, use.entry);
      for (const each of this.#open())
        if (each.uses.some(({ entry }) => entry === group)) this.#settle(each, group);
    }
  }

  /** Names of one list that have one group in common show each other: `화사와 휘인`. */
  #settleLists(): void {
    for (const [at, place] of this.#places.entries()) {
      const last = this.#places[at - 1];
      if (!last || !place.isJoined || (last.meant && place.meant)) continue;
      const pairs = last.uses.flatMap((a) =>
        place.uses.flatMap((b) =>
          a.entry !== b.entry &&
          !a.entry.isGroup &&
          !b.entry.isGroup &&
          a.entry.related.some((id) => b.entry.related.includes(id))
            ? [[a, b] as const]
            : [],
        ),
      );
      const fitting = pairs.filter(
        ([a, b]) => (!last.meant || last.meant === a.entry) && (!place.meant || place.meant === b.entry),
      );
      const [pair] = fitting;
      if (!pair || fitting.some(([a, b]) => a.entry !== pair[0].entry || b.entry !== pair[1].entry)) continue;
      this.#settle(last, pair[0].entry);
      this.#settle(place, pair[1].entry);
    }
  }

  /** The group, a member, the agency or another form of the name is elsewhere in the text. */
  #settleByContext(): void {
    for (const place of this.#open()) {
      const uses = place.uses.filter((use) => this.#fits(use, place));
      const entry = uses.length === 1 ? uses[0]?.entry : this.#nearest(uses, place);
      if (entry) this.#settle(place, entry);
    }
  }

  #fits({ entry, weight }: NameUse, place: Place): boolean {
    if (this.#certain.has(entry))
      return (
        weight !== 'word' ||
        place.isPerson ||
        this.#isInList(place) ||
        (entry.isGroup === false && this.#settledForm(entry, place))
      );
    const isNear = [...this.#certain].some((other) => isRelated(entry, other));
    if (weight === 'word')
      return (
        (isNear && (place.isPerson || this.#isInList(place) || entry.isGroup)) ||
        this.#hasSign(entry) ||
        this.#hasOtherForm(entry, place)
      );
    return isNear || (weight !== 'hint' && (this.#hasSign(entry) || this.#hasOtherForm(entry, place)));
  }

  /** A word that was settled elsewhere as this very form: it is the name again where it stands as a subject. */
  #settledForm(entry: NameEntry, place: Place): boolean {
    return (
      this.#places.some((each) => each.meant === entry && each.form === place.form) &&
      /^(?:[은는이가의,]|['’]s)/.test(place.after)
    );
  }

  #isInList(place: Place): boolean {
    const at = this.#places.indexOf(place);
    const next = this.#places[at + 1];
    const neighbours = [place.isJoined ? this.#places[at - 1] : undefined, next?.isJoined ? next : undefined];
    return neighbours.some(
      (each) =>
        each?.meant &&
        place.uses.some(
          ({ entry }) =>
            each.meant &&
            (isRelated(entry, each.meant) || entry.related.some((id) => each.meant?.related.includes(id))),
        ),
    );
  }

  #hasSign({ signs }: NameEntry): boolean {
    return signs.some((sign) => sign.length > 2 && this.#folded.includes(fold(sign)));
  }

  #hasOtherForm(entry: NameEntry, place: Place): boolean {
    return this.#places.some(
      (each) => each.form !== place.form && each.uses.some((use) => use.entry === entry),
    );
  }

  /** Of namesakes whose groups the text names, the one whose group was named last before the name. */
  #nearest(uses: readonly NameUse[], place: Place): NameEntry | undefined {
    if (uses.length < 2) return undefined;
    const at = this.#places.indexOf(place);
    for (let back = at - 1; back >= 0; back -= 1) {
      const group = this.#places[back]?.meant;
      if (!group?.isGroup) continue;
      const near = uses.filter(({ entry }) => isRelated(entry, group));
      if (near.length > 0) return near.length === 1 ? near[0]?.entry : undefined;
    }
    return undefined;
  }

  /** A short form that is only one's, of somebody known by it, where a person or a group is named. */
  #settleAlone(): void {
    for (const place of this.#open()) {
      const uses = place.uses.filter(({ weight }) => weight !== 'hint');
      const [use, other] = uses;
      if (!use || other || !use.entry.isKnownAlone) continue;
      if (use.entry.isGroup) {
        if (namesGroup(place.before) || (use.weight === 'short' && namesActivity(place.sentence)))
          this.#settle(place, use.entry);
      } else if (
        use.weight === 'word' ? this.#hasRole(place) : place.isPerson || namesActivity(place.sentence)
      ) {
        this.#settle(place, use.entry);
      }
    }
  }

  #hasRole(place: Place): boolean {
    return namesPerson(place.before, '', '');
  }

  #doubts(): DoubtfulName[] {
    const byName = new Map<string, DoubtfulName>();
    for (const place of this.#open()) {
      const uses = place.uses.filter(
        ({ entry, weight }) => entry.starId !== undefined && !entry.isGroup && weight !== 'hint',
      );
      const isWord = uses.some(({ weight }) => weight === 'word');
      const inTitle = place.start < this.titleEnd;
      const isNamed = isWord
        ? this.#hasRole(place)
        : place.isPerson || (inTitle && namesActivity(place.sentence));
      if (uses.length === 0 || !isNamed) continue;
      const name = this.text.slice(place.start, place.end);
      const doubt = byName.get(place.form) ?? {
        name,
        inTitle: false,
        score: 0,
        starIds: uses.flatMap(({ entry }) => entry.starId ?? []),
      };
      doubt.inTitle ||= inTitle;
      byName.set(place.form, doubt);
    }
    for (const [form, doubt] of byName) {
      const count = this.#open().filter((place) => place.form === form).length;
      doubt.score = scoreOf(doubt.inTitle, count);
    }
    return [...byName.values()];
  }

  #names(): MentionedName[] {
    const byEntry = new Map<NameEntry, MentionedName & { first: number }>();
    for (const { meant: entry, start } of this.#places) {
      if (!entry) continue;
      const mentioned = byEntry.get(entry) ?? { entry, count: 0, inTitle: false, score: 0, first: start };
      mentioned.count += 1;
      mentioned.inTitle ||= start < this.titleEnd;
      byEntry.set(entry, mentioned);
    }
    return [...byEntry.values()]
      .map((each) => ({ ...each, score: scoreOf(each.inTitle, each.count) }))
      .sort((a, b) => b.score - a.score || a.first - b.first)
      .map(({ first: _, ...each }) => each);
  }

  #settle(place: Place, entry: NameEntry): void {
    place.meant = entry;
    this.#certain.add(entry);
  }

  #open = (): Place[] => this.#places.filter(({ meant }) => meant === undefined);
  #countSettled = (): number => this.#places.length - this.#open().length;
}

const scoreOf = (inTitle: boolean, count: number): number => (inTitle ? 50 : 0) + Math.min(count, 20) * 2;

/** `시그니처 벨, …`: whom a headline is about. */
const isSubject = ({ before, after }: Place): boolean => /^\s?[,·“"‘…]/.test(after) && /^\S+\s$/.test(before);

/** What a form may mean beside its neighbours: a family name must fit, and nobody of another trade is a star. */
function usesAmong({ uses }: NamePlace, before: string, after: string): NameUse[] {
  const people = namesOtherTrade(before, after) ? uses.filter(({ entry }) => entry.isGroup) : uses;
  const [, wordBefore] = /(?:^|[^\p{L}])(\p{Lu}\p{L}+)\s$/u.exec(before) ?? [];
  const [, wordAfter] = /^\s(\p{Lu}\p{L}+)(?![\p{L}-])/u.exec(after) ?? [];
  const surname = [wordBefore, wordAfter].find((word) => word !== undefined && isSurname(word));
  if (surname === undefined) return [...people];
  return people.filter(
    ({ entry, weight }) =>
      entry.isGroup || weight === 'sure' || spellsSurname(surname, entry.realName ?? entry.names.ko),
  );
}
