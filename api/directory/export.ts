import { database } from '#db/client.ts';
import { findStarDocuments } from '#db/queries/directory/document.ts';
import { config } from '../config.ts';
import { picturePath } from '../media/paths.ts';
import { toCsv } from './csv.ts';
import type { DirectoryFile, StarDocument } from './model.ts';

export const exportFormats = ['byeol', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * The directory as a file that an import takes.
 * @param names slugs or numbers of stars, which bring along those that they name as members or parent; without any, all stars
 * @returns the text, how many stars are in it, and which names nobody has
 */
export async function exportDirectory(
  format: ExportFormat,
  names: readonly string[] = [],
): Promise<{ text: string; count: number; unknown: string[] }> {
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
  const documents = stars
    .map(({ document }): StarDocument => document)
    .filter(({ slug = '' }) => !chosen || chosen.has(slug))
    .map(withAddresses);
  const text = format === 'csv' ? toCsv(documents) : toJson(documents);
  return { text, count: documents.length, unknown: names.filter((name) => !slugOfName.has(name)) };
}

/** A document whose pictures say where they can be seen. */
function withAddresses({ hero, avatar, photos, timeline, ...rest }: StarDocument): StarDocument {
  const addressed = ({ key }: { key: string }) => {
    return { key, url: `${config().siteUrl}${picturePath(key, '3:2', 1200)}` };
  };
  return {
    ...rest,
    ...(hero && { hero: addressed(hero) }),
    ...(avatar && { avatar: addressed(avatar) }),
    ...(photos && { photos: photos.map((photo) => ({ ...photo, picture: addressed(photo.picture) })) }),
    ...(timeline && {
      timeline: timeline.map(({ picture, ...event }) => ({
        ...event,
        ...(picture && { picture: addressed(picture) }),
      })),
    }),
  };
}

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
