/** The clear button empties the field in place, and is there only while there is something to clear. An empty search is ready to type. */
const form = document.querySelector<HTMLElement>('[data-search]');
const field = form?.querySelector<HTMLInputElement>('input[type="search"]');
const clear = form?.querySelector<HTMLElement>('.search-clear');

if (field && clear) {
  const show = () => {
    clear.hidden = field.value === '';
  };
  field.addEventListener('input', show);
  clear.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    field.value = '';
    show();
    field.focus();
  });
  show();
  if (form?.dataset.focus !== undefined && field.value === '') field.focus({ preventScroll: true });
}
