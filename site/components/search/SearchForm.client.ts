/**
 * The clear button empties the field in place, and is there only while there is something to clear. An empty search is ready
 * to type. Suggestions come with the first key; who has searched on this device before gets his searches by a press, too.
 */
import '../star/follow-on-demand.client.ts';
import { recentSearches, rememberSearch } from './recent-searches.client.ts';
import '../events/Ticket.client.ts';

const form = document.querySelector<HTMLFormElement>('[data-search]');
const field = form?.querySelector<HTMLInputElement>('input[type="search"]');
const clear = form?.querySelector<HTMLElement>('.search-clear');

if (form && field && clear) {
  const show = () => {
    clear.hidden = field.value === '';
  };
  field.addEventListener('input', show);
  clear.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    field.value = '';
    field.focus();
    show();
    suggest();
  });
  show();
  form.addEventListener('submit', () => rememberSearch(field.value));
  const suggest = offerSuggestions(form, field);
  if (form.dataset.focus !== undefined && field.value === '') field.focus({ preventScroll: true });
}

/**
 * Without the script that makes them, a search is still a search: nobody is told that suggestions are missing.
 * @returns suggests for what is in the field now
 */
function offerSuggestions(form: HTMLFormElement, field: HTMLInputElement): () => void {
  field.role = 'combobox';
  field.ariaExpanded = 'false';
  field.ariaAutoComplete = 'list';
  field.ariaHasPopup = 'listbox';
  let combobox: Promise<() => void> | undefined;
  const suggest = () => {
    for (const type of starts) field.removeEventListener(type, begin);
    combobox ??= import('./suggestions.client.ts').then((it) => it.addSuggestions(form, field));
    combobox.then(
      (update) => update(),
      () => {},
    );
  };
  const begin = (event: Event) => {
    if (event.type !== 'pointerup' || recentSearches.get().length > 0) suggest();
  };
  const starts = ['input', 'keydown', 'pointerup'];
  for (const type of starts) field.addEventListener(type, begin);
  return suggest;
}
