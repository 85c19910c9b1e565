/** An island because choosing stars is a conversation: search as one types, pages, a selection that Cancel takes back. */
import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { StarListItem } from '#api/stars/model.ts';
import type { Lang } from '#content/locales.ts';
import { limits } from '#content/site.ts';
import { showLoadFailure } from '../../client/toast.ts';
import { favourites, setFavourites } from '../../stores/favourites.ts';
import { IslandBoundary } from '../boundary/IslandBoundary.tsx';
import { SelectedStars } from './SelectedStars.tsx';
import { StarGrid } from './StarGrid.tsx';
import { useStars } from './use-stars.ts';
import type { StarFilterWords } from './words.ts';

interface Props {
  lang: Lang;
  words: StarFilterWords;
  onClosed: () => void;
}

/** The dialog itself; what is in it may crash without it, and it still closes. */
export function StarFilter({ lang, words, onClosed }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // A press beside the sheet closes it like Cancel; React does not know the attribute yet.
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="sheet star-sheet" aria-labelledby="star-filter-title" onClose={onClosed}>
      <div className="sheet-body">
        <span className="sheet-handle" aria-hidden="true" />
        <h2 id="star-filter-title">{words.title}</h2>
        <IslandBoundary words={words}>
          <StarPicker lang={lang} words={words} onCancel={() => dialog.current?.close()} />
        </IslandBoundary>
      </div>
    </dialog>
  );
}

function StarPicker({ lang, words, onCancel }: { lang: Lang; words: StarFilterWords; onCancel: () => void }) {
  const selectedStarIds = useStore(favourites);
  const [initialIds] = useState(selectedStarIds);
  const [selectedIds, setSelectedIds] = useState(initialIds);
  const [search, setSearch] = useState('');
  const [selectedCategory, setCategory] = useState<StarListItem['category']>();
  const isSearching = search.trim() !== '';
  // Who types a name means that star, whatever was looked at before.
  const category = isSearching ? undefined : selectedCategory;
  const isEverywhere = isSearching && selectedCategory !== undefined;
  const { stars, starsById, state, hasMore, more, retry } = useStars(lang, search, category, initialIds);
  const list = useRef<HTMLDivElement>(null);
  /** Where the stars begin that a button for more or for a further try has asked for: the focus goes there, as the button may go. */
  const [firstAsked, setFirstAsked] = useState<number>();
  useEffect(() => {
    if (firstAsked === undefined || state === 'loading') return;
    setFirstAsked(undefined);
    const { activeElement } = document;
    if (activeElement !== document.body && !list.current?.contains(activeElement)) return;
    const choices = list.current?.querySelectorAll<HTMLElement>('.star-choice');
    const target = choices?.[firstAsked] ?? list.current?.querySelector<HTMLElement>('.state button');
    target?.focus();
  }, [state, firstAsked]);
  const isLoadingMore = state === 'loading' && firstAsked !== undefined && firstAsked > 0;

  const found =
    stars.length === 0
      ? words.empty
      : stars
          .slice(0, 3)
          .map(({ name }) => name)
          .join(', ');

  const toggle = (id: number) =>
    setSelectedIds((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]));

  const selectCategory = (next: StarListItem['category'] | undefined) => {
    setCategory(next);
    setSearch('');
  };

  /** Save applies what was changed here to what is followed by now, elsewhere too, and reloads the page (§2). */
  const save = () => {
    const isKept = (id: number) => selectedIds.includes(id) || !initialIds.includes(id);
    const added = selectedIds.filter((id) => !initialIds.includes(id) && !selectedStarIds.includes(id));
    setFavourites([...selectedStarIds.filter(isKept), ...added]);
    onCancel();
    if (!navigator.onLine) return showLoadFailure();
    // A reload brings back what stood at the top, also where the banner of the selected stars has since come above it: the top of
    // the page would be under the header. From there the page begins anew.
    if (scrollY > 0) location.reload();
    else location.replace(location.pathname + location.search);
  };

  return (
    <>
      <label className="visually-hidden" htmlFor="star-filter-search">
        {words.searchLabel}
      </label>
      <input
        id="star-filter-search"
        className="field"
        type="search"
        autoComplete="off"
        aria-describedby={isEverywhere ? 'star-filter-everywhere' : undefined}
        placeholder={words.placeholder}
        value={search}
        maxLength={limits.maxPage}
        onChange={(event) => setSearch(event.target.value)}
      />
      <p className="visually-hidden" aria-live="polite">
        {isSearching && state === 'ready' ? found : ''}
      </p>
      <Categories words={words} category={category} onChoose={selectCategory} />
      <div ref={list} className="sheet-scroll" aria-busy={state === 'loading'}>
        {isEverywhere && (
          <p id="star-filter-everywhere" className="sheet-everywhere">
            {words.everywhere}
          </p>
        )}
        <StarGrid
          words={words}
          stars={stars}
          selectedIds={selectedIds}
          state={state}
          onToggle={toggle}
          onRetry={() => {
            setFirstAsked(0);
            retry();
          }}
        />
        {hasMore && (state === 'ready' || isLoadingMore) && (
          <button
            type="button"
            className="button button-line sheet-more"
            aria-busy={isLoadingMore}
            onClick={() => {
              if (isLoadingMore) return;
              setFirstAsked(stars.length);
              more();
            }}
          >
            {words.more}
          </button>
        )}
      </div>
      <footer className="sheet-footer">
        <SelectedStars
          words={words}
          selectedIds={selectedIds}
          starsById={starsById}
          onClear={() => setSelectedIds([])}
        />
        <button type="button" className="button button-line" onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="button" className="button button-primary" onClick={save}>
          {words.save}
        </button>
      </footer>
    </>
  );
}

const categories = [
  ['K-Pop Group', 'group'],
  ['Solo Artist', 'solo'],
  ['Actor', 'actor'],
  ['Actress', 'actress'],
  ['Idol', 'idol'],
] as const;

interface CategoriesProps {
  words: StarFilterWords;
  category: StarListItem['category'] | undefined;
  onChoose: (category: StarListItem['category'] | undefined) => void;
}

function Categories({ words, category, onChoose }: CategoriesProps) {
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
