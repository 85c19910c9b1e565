/** A field that the browser refuses is shown: of a closed part it would say nothing, and the form would seem dead. */
document.addEventListener(
  'invalid',
  ({ target }) => {
    const part = target instanceof Element ? target.closest('details') : null;
    if (part) part.open = true;
  },
  true,
);
