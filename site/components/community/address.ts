import type { Lang } from '#content/locales.ts';
import type { ChannelSort } from '#db/queries/community/channel-list.ts';
import { paths } from '../../lib/routes/paths.ts';

/** The address of a view of the channel list: everything that one would share stands in it. */
export function channelsPath(
  lang: Lang,
  { q, sort, page = 1 }: { q?: string; sort?: ChannelSort; page?: number },
): string {
  return paths.community(lang, {
    q,
    sort: sort === 'popular' ? undefined : sort,
    page: page > 1 ? page : undefined,
  });
}
