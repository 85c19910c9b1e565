/** Whoever chooses a fan colour says that one is known: the box beside it that says otherwise is emptied. */
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'fandomColor') return;
  const unknown = target.form?.elements.namedItem('noFandomColor');
  if (unknown instanceof HTMLInputElement) unknown.checked = false;
});
