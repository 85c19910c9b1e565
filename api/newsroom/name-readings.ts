import { normalized } from '#content/normalize.ts';
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
  const fullText = normalized(`${title}\n\n${text}`);
  return new Reading(book, fullText, normalized(title).length, known).read();
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
  isPerson: boolean;
  last: Place | undefined;
  next: Place | undefined;
  /** Whether the name before it belongs to the same list. */
  isJoined: boolean;
  /** Groups that stand directly beside it, or beside its list. */
  beside: ReadonlySet<NameEntry>;
}

const isRelated = (a: NameEntry, b: NameEntry): boolean =>
  (b.starId !== undefined && a.related.includes(b.starId)) ||
  (a.starId !== undefined && b.related.includes(a.starId));
const isOfOneGroup = (a: NameEntry, b: NameEntry): boolean => a.related.some((id) => b.related.includes(id));

/** How far a sentence is looked at from a name. */
const sentenceReach = 160;
/** How far a group and its member, or two names of a list, stand apart at most. */
const gapReach = 60;
/** How many names back the group of namesakes is looked for. */
const groupReach = 40;
/** What one name shows of another is found in a few rounds; a text that is made to need more gets no more. */
const maxRounds = 8;

/** Every step takes time by the length of the text: sources are strangers. */
class Reading {
  readonly #folded: string;
  readonly #places: Place[];
  readonly #placesOf = new Map<NameEntry, Place[]>();
  readonly #signed = new Map<NameEntry, boolean>();
  /** What the text names for certain, by number, and those of their groups. */
  readonly #certain = new Set<NameEntry>();
  readonly #certainIds = new Set<number>();
  readonly #nearIds = new Set<number>();

  constructor(
    book: NameBook,
    readonly text: string,
    readonly titleEnd: number,
    known: readonly number[],
  ) {
    this.#folded = fold(text);
    this.#places = book.places(text).map((place) => this.#look(place));
    for (const [at, place] of this.#places.entries()) {
      place.last = this.#places[at - 1];
      place.next = this.#places[at + 1];
      place.isJoined = place.last !== undefined && joins(this.#between(place.last, place));
      for (const { entry } of place.uses) {
        const places = this.#placesOf.get(entry);
        if (places) places.push(place);
        else this.#placesOf.set(entry, [place]);
      }
    }
    this.#placeGroups();
    const knownIds = new Set(known);
    if (knownIds.size > 0)
      for (const entry of book.entries)
        if (entry.starId !== undefined && knownIds.has(entry.starId)) this.#makeCertain(entry);
  }

  read(): NameReading {
    for (const place of this.#places) {
      const [only, other] = place.uses;
      if (only?.weight === 'sure' && !other) this.#settle(place, only.entry);
    }
    this.#dropOthersMembers();
    let open = this.#open();
    for (let round = 0; round < maxRounds && open.length > 0; round += 1) {
      this.#settleBeside();
      this.#settleLists();
      this.#settleByContext();
      this.#settleAlone();
      const left = this.#open();
      if (left.length === open.length) break;
      open = left;
    }
    return { names: this.#names(), doubts: this.#doubts() };
  }

  #look(place: NamePlace): Place {
    const { start, end } = place;
    const sentenceBefore =
      this.text
        .slice(Math.max(0, start - sentenceReach), start)
        .split(/\n|[.!?…]\s/)
        .at(-1) ?? '';
    const rest = this.text.slice(end, end + sentenceReach);
    const [sentenceAfter = ''] = rest.split(/[!?…\n]|\.\s/, 1);
    const before = sentenceBefore.slice(-40);
    const after = rest.slice(0, 40);
    return {
      ...place,
      uses: usesAmong(place, before, after),
      meant: undefined,
      before,
      after,
      sentence: sentenceBefore + this.text.slice(start, end) + sentenceAfter,
      isPerson: namesPerson(before, after, sentenceAfter),
      last: undefined,
      next: undefined,
      isJoined: false,
      beside: new Set(),
    };
  }

  /** What stands between two names; a text that is too long to join them is none. */
  #between(a: Place, b: Place): string {
    return b.start - a.end > gapReach ? '\n\n' : this.text.slice(a.end, b.start);
  }

  /** Notes the groups beside each name and hands them along a list: `에스파 윈터와 카리나`, `Joy and Yeri of Red Velvet`. */
  #placeGroups(): void {
    const groupsOf = ({ uses }: Place) => uses.flatMap(({ entry }) => (entry.isGroup ? [entry] : []));
    for (const place of this.#places) {
      const { last, next } = place;
      place.beside = new Set([
        // After a bracket stands a group in its other script: `첫사랑(CSR) 수아`.
        ...(last && introduces(this.#between(last, place).replace(/^\)/, '')) ? groupsOf(last) : []),
        ...(next && attributes(this.#between(place, next)) ? groupsOf(next) : []),
      ]);
    }
    const inherit = (place: Place, from: Place) => {
      const groups = [...from.beside].filter((group) =>
        place.uses.some(({ entry }) => isRelated(entry, group)),
      );
      if (groups.length > 0) place.beside = new Set([...place.beside, ...groups]);
    };
    for (const place of this.#places) if (place.isJoined && place.last) inherit(place, place.last);
    for (const place of [...this.#places].reverse())
      if (place.isJoined && place.last) inherit(place.last, place);
  }

  /** A name beside a group that is certain and has no such member is another group's, of whom we know nothing: `방탄소년단 지민`. */
  #dropOthersMembers(): void {
    for (const place of this.#open()) {
      const groups = [...place.beside].filter((group) => this.#certain.has(group));
      if (groups.length === 0) continue;
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
      const group = [...place.beside].find((each) => isRelated(use.entry, each));
      if (!group) continue;
      const groupPlaces = this.#placesOf.get(group) ?? [];
      const areWords =
        use.weight === 'word' &&
        !this.#certain.has(group) &&
        groupPlaces[0]?.uses.every(({ weight }) => weight === 'word');
      if (areWords && !place.isPerson && !isSubject(place)) continue;
      this.#settle(place, use.entry);
      if (!this.#certain.has(group))
        for (const each of groupPlaces) if (!each.meant) this.#settle(each, group);
    }
  }

  /** Names of one list that have one group in common show each other: `화사와 휘인`. */
  #settleLists(): void {
    for (const place of this.#places) {
      const { last } = place;
      if (!last || !place.isJoined || (last.meant && place.meant)) continue;
      const pairs = last.uses.flatMap((a) =>
        place.uses.flatMap((b) =>
          a.entry !== b.entry &&
          !a.entry.isGroup &&
          !b.entry.isGroup &&
          (!last.meant || last.meant === a.entry) &&
          (!place.meant || place.meant === b.entry) &&
          isOfOneGroup(a.entry, b.entry)
            ? [[a.entry, b.entry] as const]
            : [],
        ),
      );
      const [pair, other] = pairs;
      if (!pair || other) continue;
      if (!last.meant) this.#settle(last, pair[0]);
      if (!place.meant) this.#settle(place, pair[1]);
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
    const isCertain = this.#certain.has(entry);
    const isNear = isCertain || this.#isNear(entry);
    if (weight !== 'word')
      return isNear || (weight !== 'hint' && (this.#hasSign(entry) || this.#hasOtherForm(entry, place)));
    return (
      (isNear && (place.isPerson || this.#isInList(place) || (entry.isGroup && !isCertain))) ||
      (isCertain && isNounLike(place) && this.#isSettledAs(entry, place)) ||
      this.#hasSign(entry) ||
      this.#hasOtherForm(entry, place)
    );
  }

  #isNear({ starId, related }: NameEntry): boolean {
    return (
      (starId !== undefined && this.#nearIds.has(starId)) || related.some((id) => this.#certainIds.has(id))
    );
  }

  /** Whether a word was settled elsewhere in this very form. */
  #isSettledAs(entry: NameEntry, { form }: Place): boolean {
    return (
      this.#placesOf
        .get(entry)
        ?.slice(0, groupReach)
        .some((each) => each.meant === entry && each.form === form) ?? false
    );
  }

  #isInList(place: Place): boolean {
    const neighbours = [
      place.isJoined ? place.last : undefined,
      place.next?.isJoined ? place.next : undefined,
    ];
    return neighbours.some((each) => {
      const meant = each?.meant;
      return meant && place.uses.some(({ entry }) => isRelated(entry, meant) || isOfOneGroup(entry, meant));
    });
  }

  #hasSign(entry: NameEntry): boolean {
    const known = this.#signed.get(entry);
    if (known !== undefined) return known;
    const isSigned = entry.signs.some((sign) => sign.length > 2 && this.#folded.includes(fold(sign)));
    this.#signed.set(entry, isSigned);
    return isSigned;
  }

  #hasOtherForm(entry: NameEntry, { form }: Place): boolean {
    return (
      this.#placesOf
        .get(entry)
        ?.slice(0, groupReach)
        .some((each) => each.form !== form) ?? false
    );
  }

  /** Of namesakes whose groups the text names, the one whose group was named last before the name. */
  #nearest(uses: readonly NameUse[], place: Place): NameEntry | undefined {
    if (uses.length < 2) return undefined;
    let back = place.last;
    for (let count = 0; back && count < groupReach; count += 1) {
      const group = back.meant;
      back = back.last;
      if (!group?.isGroup) continue;
      const near = uses.filter(({ entry }) => isRelated(entry, group));
      if (near.length > 0) return near.length === 1 ? near[0]?.entry : undefined;
    }
    return undefined;
  }

  /** A short form that is only one's, of somebody known by it, where a person or a group is named. */
  #settleAlone(): void {
    for (const place of this.#open()) {
      const [use, other] = place.uses.filter(({ weight }) => weight !== 'hint');
      if (!use || other || !use.entry.isKnownAlone) continue;
      const { isGroup } = use.entry;
      const isNamed =
        use.weight === 'word'
          ? isGroup
            ? namesGroup(place.before)
            : hasRole(place)
          : (isGroup ? namesGroup(place.before) : place.isPerson) || namesActivity(place.sentence);
      if (isNamed) this.#settle(place, use.entry);
    }
  }

  #doubts(): DoubtfulName[] {
    const byForm = new Map<string, DoubtfulName & { count: number; isNamed: boolean }>();
    for (const place of this.#open()) {
      const ours = place.uses.filter(({ entry, weight }) => entry.starId !== undefined && weight !== 'hint');
      // Nothing but a group is called so, or the text says that one is.
      const isGroup = ours.some(
        ({ entry, weight }) => entry.isGroup && (weight === 'sure' || namesGroup(place.before)),
      );
      const uses = isGroup ? ours : ours.filter(({ entry }) => !entry.isGroup);
      if (uses.length === 0) continue;
      const inTitle = place.start < this.titleEnd;
      const isNamed =
        isGroup ||
        (uses.some(({ weight }) => weight === 'word')
          ? hasRole(place)
          : place.isPerson || (inTitle && namesActivity(place.sentence)));
      const doubt = byForm.get(place.form) ?? {
        name: this.text.slice(place.start, place.end),
        inTitle: false,
        score: 0,
        starIds: uses.flatMap(({ entry }) => entry.starId ?? []),
        count: 0,
        isNamed: false,
      };
      doubt.count += 1;
      doubt.isNamed ||= isNamed;
      doubt.inTitle ||= inTitle && isNamed;
      byForm.set(place.form, doubt);
    }
    return [...byForm.values()].flatMap(({ count, isNamed, ...doubt }) =>
      isNamed ? [{ ...doubt, score: scoreOf(doubt.inTitle, count) }] : [],
    );
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
    this.#makeCertain(entry);
  }

  #makeCertain(entry: NameEntry): void {
    if (this.#certain.has(entry)) return;
    this.#certain.add(entry);
    if (entry.starId !== undefined) this.#certainIds.add(entry.starId);
    for (const id of entry.related) this.#nearIds.add(id);
  }

  #open(): Place[] {
    return this.#places.filter(({ meant }) => meant === undefined);
  }
}

const scoreOf = (inTitle: boolean, count: number): number => (inTitle ? 50 : 0) + Math.min(count, 20) * 2;

const hasRole = ({ before }: Place): boolean => namesPerson(before, '', '');
const isNounLike = ({ after }: Place): boolean => /^(?:[은는이가의,]|['’]s)/.test(after);

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
