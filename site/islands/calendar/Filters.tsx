import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import type { CalendarMonth } from '../../lib/events/month.ts';
import { favourites } from '../../stores/favourites.ts';
import { Icon } from '../Icon.tsx';
import { type Filter, isEmpty, toggled } from './filter.ts';
import { useStarNames } from './use-star-names.ts';
import { type CalendarWords, fill } from './words.ts';

interface Props {
  lang: Lang;
  words: CalendarWords;
  month: CalendarMonth;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

/** Stars to choose from in the sheet: the month's busiest, and those chosen. */
const starChoices = 60;

/** Chips for kinds and for the fan's own stars, the sheet with both, and "clear all" (§4 Calendar filters). */
export function Filters({ lang, words, month, filter, onFilter }: Props) {
  const sheet = useRef<HTMLDialogElement>(null);
  const selectedStarIds = useStore(favourites);
  const { categoryIds, starIds } = filter;
  useEffect(() => sheet.current?.setAttribute('closedby', 'any'), []);
  const starOf = useStarNames(lang, month, starIds);
  const names = starIds.flatMap((id) => starOf(id)?.name ?? []);
  const moreCount = starIds.length - Math.min(names.length, limits.filterChipNames);
  const onlyMine = selectedStarIds.length > 0 && selectedStarIds.every((id) => starIds.includes(id));
  const kinds = month.categories.map(({ id, slug, name }) => (
    <button
      key={id}
      type="button"
      className="chip"
      aria-pressed={categoryIds.includes(id)}
      onClick={() => onFilter({ ...filter, categoryIds: toggled(categoryIds, id) })}
    >
      <span className={`dot dot-${slug}`} />
      {name}
    </button>
  ));
  return (
    <div className="calendar-filters">
      <button
        type="button"
        className="chip"
        aria-haspopup="dialog"
        onClick={() => sheet.current?.showModal()}
      >
        <Icon name="sliders" size={16} />
        {words.filter}
      </button>
      {selectedStarIds.length > 0 && (
        <button
          type="button"
          className="chip"
          aria-pressed={onlyMine}
          onClick={() => onFilter({ ...filter, starIds: onlyMine ? [] : [...selectedStarIds] })}
        >
          <Icon name="star" size={16} />
          {words.onlyMyStars}
        </button>
      )}
      {starIds.length > 0 && (
        <button
          type="button"
          className="chip"
          aria-pressed="true"
          onClick={() => onFilter({ ...filter, starIds: [] })}
        >
          {fill(words.chosenStars, { names: names.slice(0, limits.filterChipNames).join(', ') })}
          {moreCount > 0 && ` ${fill(words.moreNames, { count: moreCount })}`}
          <Icon name="x" size={14} />
        </button>
      )}
      <div className="filter-kinds">{kinds}</div>
      {!isEmpty(filter) && (
        <button
          type="button"
          className="clear-filters"
          onClick={() => onFilter({ categoryIds: [], starIds: [] })}
        >
          {words.clearAll}
        </button>
      )}
      <dialog ref={sheet} className="sheet filter-sheet" aria-labelledby="filter-title">
        <div className="sheet-body">
          <header>
            <h2 id="filter-title">{words.filter}</h2>
            <button
              type="button"
              className="icon-button"
              aria-label={words.close}
              onClick={() => sheet.current?.close()}
            >
              <Icon name="x" size={22} />
            </button>
          </header>
          <div className="sheet-scroll">
            <fieldset>
              <legend>{words.filterCategories}</legend>
              <div className="filter-choices">{kinds}</div>
            </fieldset>
            <fieldset>
              <legend>{words.filterStars}</legend>
              <StarChoices month={month} filter={filter} words={words} starOf={starOf} onFilter={onFilter} />
            </fieldset>
          </div>
          <div className="sheet-footer">
            <button
              type="button"
              className="button button-line"
              disabled={isEmpty(filter)}
              onClick={() => onFilter({ categoryIds: [], starIds: [] })}
            >
              {words.clearAll}
            </button>
            <button type="button" className="button button-primary" onClick={() => sheet.current?.close()}>
              {words.apply}
            </button>
          </div>
        </div>
      </dialog>
    </div>
  );
}

interface StarChoicesProps extends Omit<Props, 'lang'> {
  starOf: ReturnType<typeof useStarNames>;
}

function StarChoices({ words, month, filter, starOf, onFilter }: StarChoicesProps) {
  const counts = new Map<number, number>();
  for (const { stars } of month.events) for (const id of stars) counts.set(id, (counts.get(id) ?? 0) + 1);
  const busiest = [...counts].sort((a, b) => b[1] - a[1]).slice(0, starChoices);
  const ids = [...new Set([...filter.starIds, ...busiest.map(([id]) => id)])];
  const listedStars = ids.flatMap((id) => {
    const star = starOf(id);
    return star ? { id, ...star } : [];
  });
  if (listedStars.length === 0) return <p>{words.filterNoStars}</p>;
  return (
    <div className="filter-choices">
      {listedStars.map(({ id, name, image, distinction }) => (
        <button
          key={id}
          type="button"
          className="chip"
          aria-pressed={filter.starIds.includes(id)}
          onClick={() => onFilter({ ...filter, starIds: toggled(filter.starIds, id) })}
        >
          <img className="star-mark" src={image} width={20} height={20} alt="" loading="lazy" />
          {distinction ? `${name} · ${distinction}` : name}
        </button>
      ))}
    </div>
  );
}
