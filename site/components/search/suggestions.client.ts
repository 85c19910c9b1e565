/** Suggestions under the search field: the combobox of the ARIA patterns, a list with an active descendant. */
import type { SearchSuggestion } from '#api/search/model.ts';
import { recentSearches, rememberSearch } from './recent-searches.client.ts';

/** Words of the page's language, from the form; `count` and `member` hold `{{…}}`. */
export interface SuggestionWords {
  stars: string;
  recent: string;
  clearRecent: string;
  count: string;
  none: string;
  member: string;
  categories: Record<SearchSuggestion['category'], string>;
}

interface Option {
  text: string;
  note?: string;
  image?: string;
  choose(): void;
}

const typingPause = 120;
const mostSuggestions = 8;

/**
 * Puts the list of suggestions below the field, which follows every key.
 * @returns suggests for what is in the field now
 */
export function addSuggestions(form: HTMLFormElement, field: HTMLInputElement): () => void {
  const words: SuggestionWords = JSON.parse(form.dataset.words ?? '{}');
  const list = Object.assign(document.createElement('ul'), {
    id: 'suggestions',
    role: 'listbox',
    hidden: true,
  });
  const status = Object.assign(document.createElement('p'), { role: 'status', className: 'visually-hidden' });
  field.closest('.search-row')?.append(list);
  form.append(status);
  field.setAttribute('aria-controls', list.id);

  const answers = new Map<string, readonly SearchSuggestion[]>();
  let options: readonly Option[] = [];
  let active = -1;
  let request: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const activate = (index: number) => {
    active = index;
    for (const [place, item] of [...list.children].entries()) item.ariaSelected = String(place === index);
    const item = list.children[index];
    if (!item) return field.removeAttribute('aria-activedescendant');
    field.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
  };
  const show = (next: readonly Option[], label = words.stars) => {
    options = next;
    list.ariaLabel = label;
    list.replaceChildren(...next.map(toItem));
    list.hidden = next.length === 0;
    field.ariaExpanded = String(next.length > 0);
    activate(-1);
  };
  const announceCount = (count: number) => {
    status.textContent = count === 0 ? words.none : words.count.replace('{{count}}', String(count));
  };

  const showRecent = () => {
    const recent = recentSearches.get();
    if (recent.length === 0) return show([]);
    const searches = recent.map((text) => ({
      text,
      choose() {
        field.value = text;
        form.requestSubmit();
      },
    }));
    const forget = () => {
      recentSearches.set([]);
      show([]);
    };
    show([...searches, { text: words.clearRecent, choose: forget }], words.recent);
  };
  const toOption = ({
    id,
    name,
    category,
    imageUrl,
    member,
    groups,
    distinction,
  }: SearchSuggestion): Option => ({
    text: name,
    note: member
      ? words.member.replace('{{name}}', member)
      : (distinction ?? groups[0] ?? words.categories[category]),
    image: imageUrl,
    choose() {
      rememberSearch(name);
      location.assign(`${form.action.replace(/search$/, '')}star/${id}`);
    },
  });
  const showStars = (suggestions: readonly SearchSuggestion[]) => {
    show(suggestions.map(toOption));
    announceCount(suggestions.length);
  };

  const fetchSuggestions = async (text: string) => {
    request = new AbortController();
    const { signal } = request;
    try {
      // Without the client of the API, which would be more than all of this: no account, no second try, no write.
      const query = new URLSearchParams({
        q: text,
        language: document.documentElement.lang,
        limit: `${mostSuggestions}`,
      });
      const answer = await fetch(`/api/search/suggestions?${query}`, { signal });
      const { suggestions }: { suggestions: SearchSuggestion[] } = await answer.json();
      answers.set(text, suggestions);
      if (!signal.aborted && document.activeElement === field) showStars(suggestions);
    } catch {
      // On a bad line, after too many keys or for signs that are no words there is nothing to suggest; the search says why.
      if (!signal.aborted) show([]);
    }
  };
  const update = () => {
    request?.abort();
    clearTimeout(timer);
    const text = field.value.trim();
    const cached = answers.get(text);
    if (text === '') showRecent();
    else if (cached) showStars(cached);
    else timer = setTimeout(fetchSuggestions, typingPause, text);
  };
  const close = () => {
    request?.abort();
    clearTimeout(timer);
    show([]);
  };

  field.addEventListener('input', update);
  field.addEventListener('pointerup', () => list.hidden && update());
  field.addEventListener('blur', close);
  form.addEventListener('submit', close);
  // The field keeps the focus, and with it a phone its keyboard.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const item = target instanceof Element ? target.closest('li') : undefined;
    if (item) options[[...list.children].indexOf(item)]?.choose();
  });
  field.addEventListener('keydown', (event) => {
    // The Enter and the arrows of an input method choose its own candidates.
    if (event.isComposing) return;
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) return update();
      // From the last one over the field itself to the first one, and back.
      const places = options.length + 1;
      activate(((active + 1 + (key === 'ArrowDown' ? 1 : places - 1)) % places) - 1);
    } else if (key === 'Enter' && options[active]) {
      event.preventDefault();
      options[active]?.choose();
    } else if (key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  return update;
}

function toItem({ text, note, image }: Option, place: number): HTMLLIElement {
  const item = Object.assign(document.createElement('li'), { id: `suggestion-${place}`, role: 'option' });
  if (image) {
    const picture = Object.assign(document.createElement('img'), {
      src: image,
      alt: '',
      width: 36,
      height: 36,
    });
    item.append(picture);
  }
  item.append(Object.assign(document.createElement('b'), { textContent: text }));
  if (note) item.append(Object.assign(document.createElement('span'), { textContent: note }));
  return item;
}
