import type { Lang } from '#content/locales.ts';
import {
  type EditedArticle,
  findArticleForEditors,
  type ListedArticle,
  listArticlesForEditors,
} from '#db/queries/admin/articles.ts';
import { NotFound } from '../errors.ts';
import { readSearch } from '../input.ts';
import type { Pagination } from './model.ts';
import { pagination } from './paging.ts';

/** A page of articles for editors: by number, words of title or outlet; withdrawn ones too. */
export async function readArticlesForEditors(
  page: number,
  limit: number,
  filter: { language: Lang; search?: string | undefined; withdrawn?: boolean | undefined },
): Promise<{ articles: ListedArticle[]; pagination: Pagination }> {
  const { articles, total } = await listArticlesForEditors({
    ...filter,
    limit,
    offset: (page - 1) * limit,
    search: readSearch(filter.search),
  });
  return { articles, pagination: pagination(page, limit, total) };
}

/** @throws NotFound */
export async function readEditedArticle(id: number): Promise<EditedArticle> {
  const article = await findArticleForEditors(id);
  if (!article) throw new NotFound('Article');
  return article;
}
