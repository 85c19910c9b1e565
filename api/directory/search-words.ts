import { allInitials } from '#content/art/sign.ts';
import { searchTextOf } from '#content/plain-name.ts';
import { romanizations } from '#content/romanization.ts';
import type { Transaction } from '#db/client.ts';
import { findStarDocuments, type StoredDocument } from '#db/queries/directory/document.ts';
import {
  findGroups,
  findHiddenStars,
  lockStar,
  type StarSearchWords,
  writeSearchWords,
} from '#db/queries/directory/write.ts';

/** The words by which fans find a star, worked out from its document. */

/** Writes anew what the groups of a star are found by, once it is hidden or shown. They are locked first: one may be getting another name. */
export async function writeSearchWordsOfGroups(tx: Transaction, member: number): Promise<void> {
  const groups = await findGroups(tx, member);
  for (const group of groups) await lockStar(tx, group);
  for (const { id, document } of await findStarDocuments(groups, tx))
    await writeSearchWords(tx, id, await searchWords(tx, document));
}

/** What a star is found by; a member who is hidden gives no name away. */
export async function searchWords(
  tx: Transaction,
  { words, aliases = [], members = [] }: StoredDocument,
): Promise<StarSearchWords> {
  const hidden = await findHiddenStars(
    tx,
    members.flatMap(({ star }) => star ?? []),
  );
  const name = words.ko?.name ?? words.en?.name ?? '';
  const initials = allInitials(name).join('');
  const terms = [
    ...Object.values(words).flatMap(({ name: translatedName, fandomName }) => [
      translatedName,
      fandomName ?? '',
    ]),
    ...aliases,
    ...members.flatMap(({ star, names }) => (hidden.has(star ?? '') ? [] : Object.values(names))),
    ...romanizations(name),
    initials,
  ];
  return { name, initials, searchText: searchTextOf(terms) };
}
