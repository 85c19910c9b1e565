import { database } from '#db/client.ts';
import { findShownUploads, type SaidUpload } from '#db/queries/admin/pictures.ts';
import { findStarDocuments } from '#db/queries/directory/document.ts';
import { config } from '../config.ts';
import { picturePath, storedAspect } from '../media/paths.ts';
import { isUploadKey } from '../media/uploads.ts';
import { type Aspect, sizeOf } from '../media/variants.ts';
import { toCsv } from './csv.ts';
import { mapPictures, picturesOf } from './document-pictures.ts';
import type { DirectoryFile, PictureReference, StarDocument } from './model.ts';

export const exportFormats = ['byeol', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * The directory as a file that an import takes.
 * @param names slugs or numbers of stars, which bring along those that they name as members or parent; without any, all stars
 * @returns the text, how many stars are in it and how many of those are hidden here, which names nobody has, and the keys of the
 * uploads that its stars show
 */
export async function exportDirectory(
  format: ExportFormat,
  names: readonly string[] = [],
): Promise<{ text: string; count: number; hidden: number; unknown: string[]; uploads: string[] }> {
  const stars = await findStarDocuments(undefined, database());
  const bySlug = new Map(stars.map(({ document }) => [document.slug, document]));
  const slugOfName = new Map(
    stars.flatMap(({ id, document }) => [
      [String(id), document.slug],
      [document.slug, document.slug],
    ]),
  );
  const chosen =
    names.length > 0
      ? withThoseNamed(
          names.flatMap((name) => slugOfName.get(name) ?? []),
          bySlug,
        )
      : undefined;
  const exported = stars.filter(({ document: { slug } }) => !chosen || chosen.has(slug));
  const documents = exported.map(({ document }): StarDocument => document);
  const keys = new Set(documents.flatMap(picturesOf).map(({ key }) => key));
  const uploads = await findShownUploads([...keys]);
  const described = documents.map((document) =>
    mapPictures(document, ({ key }) => referenceTo(key, uploads.get(key))),
  );
  return {
    text: format === 'csv' ? toCsv(described) : toJson(described),
    count: documents.length,
    hidden: exported.filter(({ hiddenAt }) => hiddenAt).length,
    unknown: names.filter((name) => !slugOfName.has(name)),
    uploads: [...uploads.keys()],
  };
}

/** A picture with where it can be seen, and what another library needs to know of it. */
function referenceTo(key: string, upload: SaidUpload | undefined): PictureReference {
  // Of one that was withdrawn, only which one it is.
  if (!upload) return isUploadKey(key) ? { key } : { key, url: addressOf(key, '3:2') };
  const { aspect, focusX, focusY, alt, ...words } = upload;
  const said = Object.entries(words).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(said),
    key,
    url: addressOf(key, storedAspect(aspect)),
    ...(alt && Object.keys(alt).length > 0 && { alt }),
    ...(focusX !== null && focusY !== null && { focus: { x: focusX, y: focusY } }),
  };
}

/** The largest that everybody may see. */
const addressOf = (key: string, aspect: Aspect) =>
  `${config().siteUrl}${picturePath(key, aspect, sizeOf(aspect).width)}`;

/** One star on a line of its own, so that two exports are compared line by line. */
function toJson(documents: readonly StarDocument[]): string {
  const head: Omit<DirectoryFile, 'stars'> = { format: 'byeol-directory', version: 1 };
  const start = JSON.stringify(head).slice(0, -1);
  return `${start},"stars":[\n${documents.map((document) => JSON.stringify(document)).join(',\n')}\n]}\n`;
}

/** These stars with their members, their parents, and theirs. */
function withThoseNamed(slugs: readonly string[], bySlug: ReadonlyMap<string, StarDocument>): Set<string> {
  const chosen = new Set<string>();
  const waiting = [...slugs];
  for (let slug = waiting.pop(); slug !== undefined; slug = waiting.pop()) {
    if (chosen.has(slug)) continue;
    chosen.add(slug);
    const { members = [], parent } = bySlug.get(slug) ?? {};
    waiting.push(...members.flatMap(({ star }) => star ?? []), ...(parent ? [parent] : []));
  }
  return chosen;
}
