/** Stars by the name that is being typed, where a field asks for one. */
import { callApi } from '../../client/api.ts';

const pause = 250;

for (const list of document.querySelectorAll<HTMLDataListElement>('[data-star-suggestions]')) {
  const field = document.querySelector<HTMLInputElement>(`input[list="${CSS.escape(list.id)}"]`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = '';
  field?.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => suggest(field.value.trim()), pause);
  });

  async function suggest(search: string): Promise<void> {
    // One that was chosen begins with its number.
    if (search === '' || search === asked || /^\d/.test(search)) return;
    asked = search;
    const stars = await callApi('get', '/api/stars', { query: { search, limit: 8 } }).catch(() => []);
    if (search === asked)
      list.replaceChildren(
        ...stars.map(({ id, name, category, distinction }) => {
          const option = document.createElement('option');
          option.value = `${id} ${name}`;
          option.textContent = distinction ?? category;
          return option;
        }),
      );
  }
}
