import type { MouseEvent } from 'react';
import type { Pagination } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { addressOf, type Query } from './use-verification.ts';
import { fill, type Words } from './words.ts';

interface Props {
  lang: Lang;
  words: Words;
  query: Query;
  pagination: Pagination;
  onGo: (query: Query) => void;
}

/** Previous, "Page X of Y", next: links, so that each page has its address. */
export function Pages({ lang, words, query, pagination, onGo }: Props) {
  const { page, totalPages, total, hasPrevious, hasNext } = pagination;
  if (total === 0) return null;
  const step = (to: number, exists: boolean, text: string, rel: 'prev' | 'next') => {
    if (!exists) {
      return (
        <span className="button button-line" aria-disabled="true">
          {text}
        </span>
      );
    }
    const target = { ...query, page: to };
    const follow = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onGo(target);
      document.querySelector('.verify-region')?.scrollIntoView();
    };
    return (
      <a className="button button-line" href={addressOf(lang, target)} rel={rel} onClick={follow}>
        {text}
      </a>
    );
  };
  return (
    <nav className="pager" aria-label={words.pages}>
      {step(page - 1, hasPrevious, words.previous, 'prev')}
      <p className="tabular">{fill(words.pageOf, { page, total: totalPages, count: total })}</p>
      {step(page + 1, hasNext, words.next, 'next')}
    </nav>
  );
}
