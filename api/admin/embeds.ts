import { embedPlatformEntry, embedPlatforms } from '#content/embed-platforms.ts';
import type { Lang } from '#content/locales.ts';
import {
  addEmbed,
  type EmbedFilter,
  type ListedEmbed,
  listEmbeds,
  setEmbedActive,
} from '#db/queries/admin/embeds.ts';
import { findEmbeds } from '#db/queries/articles/embeds.ts';
import { readEmbedAddress } from '../articles/embed-address.ts';
import { BadInput, Conflict, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import type { Pagination } from './model.ts';
import { pagination } from './paging.ts';
import { readLine } from './text.ts';

const platformNames = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  embedPlatforms.map((platform) => embedPlatformEntry(platform).name),
);

/** A page of embeds, hidden ones too, the newest first, for the multimedia tab. */
export async function readEmbedsForEditors(
  page: number,
  filter: Omit<EmbedFilter, 'offset'>,
): Promise<{ embeds: ListedEmbed[]; pagination: Pagination }> {
  const { embeds, total } = await listEmbeds({ ...filter, offset: (page - 1) * filter.limit });
  return { embeds, pagination: pagination(page, filter.limit, total) };
}

/** Shows or hides an embed; a repeat changes nothing. @throws NotFound */
export async function showEmbed(id: number, isActive: boolean, actorId: number): Promise<void> {
  const articleId = await setEmbedActive(id, isActive, actorId);
  if (articleId === undefined) throw new NotFound('Embed');
  await invalidate([`article:${articleId}`, 'feed']);
}

/**
 * Adds what a platform's address names to a public article. Nobody is asked: the title is the editor's, else the address.
 * @throws BadInput, NotFound; Conflict when the article has it already
 */
export async function addEmbedByAddress(
  input: { articleId: number; url: string; title?: string | null | undefined },
  language: Lang,
  actorId: number,
): Promise<{ id: number }> {
  const address = readEmbedAddress(input.url);
  if (!address) throw new BadInput('url', `Must be an address of ${platformNames}.`, 'platform');
  const title = readLine(input.title, 'title', 300) ?? address.embedUrl.replace(/^https:\/\/(?:www\.)?/, '');
  if (!(await findEmbeds(input.articleId, language))) throw new NotFound('Article');
  // English is everybody's fallback, and the title of a video is the same everywhere.
  const row = await addEmbed(
    input.articleId,
    'en',
    { ...address, title, description: null, metadata: {}, poster: undefined },
    actorId,
  );
  if (!row) throw new Conflict('known', 'This article has it already.', 'url');
  await invalidate([`article:${input.articleId}`, 'feed']);
  return { id: row.id };
}
