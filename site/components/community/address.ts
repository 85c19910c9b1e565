import type { Lang } from '#content/locales.ts';
import { type ChannelSort, channelSorts } from '#db/queries/channels.ts';
import { paths } from '../../lib/paths.ts';

/** The sort of an address; what it does not know is the default of §9. */
export function readSort(value: string | null): ChannelSort {
  return channelSorts.find((known) => known === value) ?? 'popular';
}

/** The address of a view of the channel list: everything that one would share stands in it. */
export function channelsPath(lang: Lang, view: { q?: string; sort?: ChannelSort; page?: number }): string {
  const query = new URLSearchParams();
  if (view.q) query.set('q', view.q);
  if (view.sort && view.sort !== 'popular') query.set('sort', view.sort);
  if (view.page && view.page > 1) query.set('page', String(view.page));
  return `${paths.community(lang)}${query.size > 0 ? `?${query}` : ''}`;
}
