import type { MouseEvent } from 'react';
import type { Pagination } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { type Query, verificationPath } from './use-verification.ts';
import { fill, type VerificationWords } from './words.ts';

interface Props {
  lang: Lang;
  words: VerificationWords;
  query: Query;
  pagination: Pagination;
  onGo: (query: Query) => void;
}

/** Previous, "Page X of Y", next: links, so that each page has its address. */
export function VerificationPager({ lang, words, query, pagination, onGo }: Props) {
  const { page, totalPages, total, hasPrevious, hasNext } = pagination;
  if (total === 0) return null;
  const pageLink = (targetPage: number, exists: boolean, text: string, rel: 'prev' | 'next') => {
    if (!exists) {
      return (
        <span className="button button-line" aria-disabled="true">
          {text}
        </span>
      );
    }
    const target = { ...query, page: targetPage };
    const goInPlace = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onGo(target);
      document.querySelector('.verify-region')?.scrollIntoView();
    };
    return (
      <a className="button button-line" href={verificationPath(lang, target)} rel={rel} onClick={goInPlace}>
        {text}
      </a>
    );
  };
  return (
    <nav className="pager" aria-label={words.pages}>
      {pageLink(page - 1, hasPrevious, words.previous, 'prev')}
      <p className="tabular">{fill(words.pageOf, { page, total: totalPages, count: total })}</p>
      {pageLink(page + 1, hasNext, words.next, 'next')}
    </nav>
  );
}
