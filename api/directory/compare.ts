import { type StarList, type StoredDocument, starLists } from '#db/queries/directory/document.ts';
import type { StarDocument } from './model.ts';
import { completed, listReaders, readOwnFields } from './read-document.ts';
import { emptied, fieldsOf } from './star-fields.ts';
import { makeMatcher, nameOfItem, orderedLists } from './write-lists.ts';

/** A field of a star's document by its path, such as `birthDate` or `words.ko.name`, before and after. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/**
 * The fields that a document says otherwise than what stands, as `saveStar` would find them. What it leaves out is no change, nor is
 * another slug: a star keeps its address.
 * @param slugOf what the directory calls a star that the document names
 * @param isMerged whether it is called so by what was another star before an editor merged it
 * @throws BadInput
 */
export function compareDocuments(
  before: StoredDocument,
  after: StarDocument,
  slugOf: (reference: string) => string,
  isMerged: (reference: string) => boolean,
): FieldChange[] {
  const own = readOwnFields(after);
  if (own.parent) own.parent = slugOf(own.parent);
  const standing = new Map([
    ...fieldsOf(before),
    ...nested(before, 'externalIds'),
    ...nested(before, 'sources'),
  ]);
  const said = [
    ...fieldsOf(own),
    ...starLists.flatMap((list): [string, unknown][] => {
      const items: readonly object[] | undefined = after[list];
      return items
        ? [[list, readList(list, withoutMerged(items, slugOf, isMerged), before[list] ?? [], slugOf)]]
        : [];
    }),
    ...nested(own, 'externalIds'),
    ...nested(own, 'sources'),
  ];
  return said.flatMap(([field, value]) => {
    const old = standing.get(field);
    const list = starLists.find((each) => each === field);
    const inOrder = (it: unknown) => (list && Array.isArray(it) ? inOwnOrder(list, it) : it);
    return Bun.deepEquals(emptied(inOrder(value)), emptied(inOrder(old)))
      ? []
      : [{ field, before: old ?? null, after: value }];
  });
}

/** A list whose order nobody decides, whichever way a file has it. */
function inOwnOrder(list: StarList, items: readonly object[]): readonly object[] {
  if (orderedLists.has(list)) return items;
  const named = items.map((item) => ({ item, name: nameOfItem(list, item) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))).map(({ item }) => item);
}

/**
 * Members of a group but for those that are one star with another by now: a directory elsewhere still tells them apart. The one whose
 * name there is the star's own stays.
 */
export function withoutMerged<Item extends object>(
  items: readonly Item[],
  slugOf: (reference: string) => string | undefined,
  isMerged: (reference: string) => boolean,
): Item[] {
  const named = items.map((item) => {
    const reference: unknown = Reflect.get(item, 'star');
    const slug = typeof reference === 'string' ? slugOf(reference) : undefined;
    return typeof reference === 'string' && slug !== undefined ? { item, reference, slug } : { item };
  });
  const kept = new Map<string, string>();
  for (const { reference, slug } of named)
    if (slug !== undefined && (!kept.has(slug) || (isMerged(kept.get(slug) ?? '') && !isMerged(reference))))
      kept.set(slug, reference);
  return named.flatMap(({ item, reference, slug }) =>
    slug === undefined || kept.get(slug) === reference ? [item] : [],
  );
}

/** The entries of a list laid over those that stand, each over the one that is the same thing. */
function readList(
  list: (typeof starLists)[number],
  items: readonly object[],
  standing: readonly object[],
  slugOf: (reference: string) => string,
): object[] {
  const take = makeMatcher(standing.map((item) => nameOfItem(list, item)));
  const read = listReaders[list] as (item: unknown, at: string) => object;
  return items.map((item, index) => {
    const given = read(item, `${list}.${index}.`);
    const star: unknown = Reflect.get(given, 'star');
    const named = typeof star === 'string' ? { ...given, star: slugOf(star) } : given;
    const place = take(nameOfItem(list, named));
    return completed(list, place === undefined ? undefined : standing[place], named);
  });
}

const nested = (document: object, field: 'externalIds' | 'sources'): [string, unknown][] =>
  Object.entries(Reflect.get(document, field) ?? {}).map(([name, value]) => [`${field}.${name}`, value]);
