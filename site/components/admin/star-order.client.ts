/** Entries whose order is the editor's are dragged to their places, too; the order goes the way that the buttons go. */

const order = document.querySelector<HTMLFormElement>('form[data-order]');
const list = document.querySelector<HTMLElement>('[data-ordered]');
const ids = order?.querySelector<HTMLInputElement>('[name="ids"]');

if (order && list && ids) letDrag(order, list, ids);

function letDrag(form: HTMLFormElement, list: HTMLElement, ids: HTMLInputElement): void {
  const entries = () => [...list.querySelectorAll<HTMLElement>(':scope > [data-entry]')];
  let dragged: HTMLElement | undefined;
  for (const entry of entries()) {
    // In an open form words are marked by dragging.
    if (entry.querySelector('form[data-save]')) continue;
    entry.draggable = true;
    entry.addEventListener('dragstart', (event) => {
      dragged = entry;
      entry.dataset.dragged = '';
      event.dataTransfer?.setData('text/plain', entry.dataset.entry ?? '');
    });
    entry.addEventListener('dragend', () => {
      delete entry.dataset.dragged;
      dragged = undefined;
    });
  }
  list.addEventListener('dragover', (event) => {
    if (!dragged || !(event.target instanceof Element)) return;
    event.preventDefault();
    const over = event.target.closest<HTMLElement>('[data-entry]');
    if (!over || over === dragged || over.parentElement !== list) return;
    const { top, height } = over.getBoundingClientRect();
    over[event.clientY < top + height / 2 ? 'before' : 'after'](dragged);
  });
  list.addEventListener('drop', (event) => {
    if (!dragged) return;
    event.preventDefault();
    ids.value = entries()
      .map(({ dataset }) => dataset.entry)
      .join(',');
    form.requestSubmit();
  });
}
