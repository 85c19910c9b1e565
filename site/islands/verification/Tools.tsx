import type { MouseEvent } from 'react';
import type { Lang } from '#content/locales.ts';
import type { Verification } from '#db/schema/events.ts';
import { Icon } from '../Icon.tsx';
import { type Query, verificationPath } from './use-verification.ts';
import type { VerificationWords } from './words.ts';

export const verificationTabs = [
  'pending',
  'approved',
  'rejected',
] as const satisfies readonly Verification[];

interface Props {
  lang: Lang;
  words: VerificationWords;
  query: Query;
  pending: number;
  /** What stands in the search field. */
  search: string;
  onSearch: (text: string) => void;
  onGo: (query: Query) => void;
}

/** Which list is shown, and the search in it: links and a form, so that each list has its address. */
export function Tools({ lang, words, query, pending, search, onSearch, onGo }: Props) {
  const goInPlace = (target: Query) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onGo(target);
  };
  const submitSearch = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    if (search !== query.search) onGo({ ...query, search, page: 1 });
  };
  return (
    <>
      <nav className="tabs verify-tabs" aria-label={words.lists}>
        {verificationTabs.map((state) => {
          const target = { page: 1, search: query.search, verification: state };
          return (
            <a
              key={state}
              className="tab"
              href={verificationPath(lang, target)}
              aria-current={query.verification === state ? 'page' : undefined}
              onClick={goInPlace(target)}
            >
              {words[state]}
              {state === 'pending' && <sup className="tabular">{pending}</sup>}
            </a>
          );
        })}
      </nav>
      <div className="verify-tools">
        <search>
          <form className="verify-search" action="/admin/events/verification" onSubmit={submitSearch}>
            <label className="visually-hidden" htmlFor="verify-search">
              {words.searchLabel}
            </label>
            <Icon name="search" size={20} />
            <input
              id="verify-search"
              className="field"
              type="search"
              name="search"
              placeholder={words.searchPlaceholder}
              autoComplete="off"
              maxLength={100}
              value={search}
              onChange={(event) => onSearch(event.target.value)}
            />
            {query.verification !== 'pending' && (
              <input type="hidden" name="verification" value={query.verification} />
            )}
            <input type="hidden" name="lang" value={lang} />
            <button type="submit" className="button button-line">
              {words.search}
            </button>
          </form>
        </search>
        <p className="verify-polling">
          <Icon name="refresh" size={16} />
          {words.polling}
        </p>
      </div>
    </>
  );
}
