import { readId } from '#api/input.ts';
import type { Lang } from '#content/locales.ts';
import { paths } from '../../lib/routes/paths.ts';

/** For what a picture of the library is chosen, and the page whose form takes it. */
export interface PictureUse {
  /** As it stands in addresses. */
  name: string;
  kind: 'article' | 'event';
  id: number;
  page: string;
}

/** @param name `article-12` or `event-7`, as `routes.ts` lets it through */
export function pictureUseOf(name: string | undefined, lang: Lang): PictureUse | undefined {
  const [kind, digits] = name?.split('-') ?? [];
  const id = readId(digits);
  if (name === undefined || id === undefined) return undefined;
  return kind === 'article'
    ? { name, kind, id, page: paths.adminArticle(id, { lang }) }
    : { name, kind: 'event', id, page: paths.adminEvent(id, { lang }) };
}
