/** An island because choosing stars is a conversation: search as one types, pages, a selection that Cancel takes back. */
import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { StarListItem } from '#api/stars/model.ts';
import type filter from '#content/locales/en/filter.json';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { preferences, selectStars } from '../../stores/preferences.ts';
import { StarGrid } from './StarGrid.tsx';
import { useStars } from './use-stars.ts';

export type StarFilterWords = typeof filter;

interface Props {
  lang: Lang;
  words: StarFilterWords;
  onClosed: () => void;
}

export function StarFilter({ lang, words, onClosed }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { selectedStarIds } = useStore(preferences);
  const [chosen, setChosen] = useState<readonly number[]>(selectedStarIds);
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState<StarListItem['category']>();
  const { stars, known, state, hasMore, more, retry } = useStars(lang, search, category, selectedStarIds);

  useEffect(() => {
    // A press beside the sheet closes it like Cancel; React does not know the attribute yet.
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
  }, []);

  const toggle = (id: number) =>
    setChosen((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]));

  const save = () => {
    selectStars(chosen);
    dialog.current?.close();
    location.reload();
  };

  return (
    <dialog ref={dialog} className="sheet" aria-labelledby="star-filter-title" onClose={onClosed}>
      <div className="sheet-body">
        <span className="sheet-handle" aria-hidden="true" />
        <h2 id="star-filter-title">{words.title}</h2>
        <label className="visually-hidden" htmlFor="star-filter-search">
          {words.searchLabel}
        </label>
        <input
          id="star-filter-search"
          className="field"
          type="search"
          autoComplete="off"
          placeholder={words.placeholder}
          value={search}
          maxLength={limits.maxPage}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Categories words={words} category={category} onChoose={setCategory} />
        <div className="sheet-scroll" aria-busy={state === 'loading'}>
          <StarGrid
            words={words}
            stars={stars}
            chosen={chosen}
            state={state}
            onToggle={toggle}
            onRetry={retry}
          />
          {hasMore && state === 'ready' && (
            <button type="button" className="button button-line sheet-more" onClick={more}>
              {words.more}
            </button>
          )}
        </div>
        <footer className="sheet-footer">
          <Chosen words={words} chosen={chosen} known={known} onClear={() => setChosen([])} />
          <button type="button" className="button button-line" onClick={() => dialog.current?.close()}>
            {words.cancel}
          </button>
          <button type="button" className="button button-primary" onClick={save}>
            {words.save}
          </button>
        </footer>
      </div>
    </dialog>
  );
}

const categories = [
  ['K-Pop Group', 'group'],
  ['Solo Artist', 'solo'],
  ['Actor', 'actor'],
  ['Actress', 'actress'],
  ['Idol', 'idol'],
] as const;

function Categories({
  words,
  category,
  onChoose,
}: {
  words: StarFilterWords;
  category: StarListItem['category'] | undefined;
  onChoose: (category: StarListItem['category'] | undefined) => void;
}) {
  return (
    <fieldset className="sheet-chips" aria-label={words.categories}>
      <button type="button" className="chip" aria-pressed={!category} onClick={() => onChoose(undefined)}>
        {words.all}
      </button>
      {categories.map(([value, key]) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={category === value}
          onClick={() => onChoose(value)}
        >
          {words[key]}
        </button>
      ))}
    </fieldset>
  );
}

/** Who is chosen: two names, then "+N more" (§9 filter chips), the count, and the way to none. */
function Chosen({
  words,
  chosen,
  known,
  onClear,
}: {
  words: StarFilterWords;
  chosen: readonly number[];
  known: ReadonlyMap<number, StarListItem>;
  onClear: () => void;
}) {
  const names = chosen.map((id) => known.get(id)?.name).filter((name) => name !== undefined);
  const rest = chosen.length - Math.min(2, names.length);
  return (
    <p className="sheet-chosen" role="status">
      <span>{names.slice(0, 2).join(', ')}</span>
      {rest > 0 && names.length > 0 && <span>{words.moreChosen.replace('{{count}}', String(rest))}</span>}
      <span className="tabular">{words.count.replace('{{count}}', String(chosen.length))}</span>
      {chosen.length > 0 && (
        <button type="button" className="sheet-clear" onClick={onClear}>
          {words.clearAll}
        </button>
      )}
    </p>
  );
}
