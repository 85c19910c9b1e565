const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('[data-language-menu][open]');

/** An open menu closes on Escape, which gives the focus back, and when a click or the focus goes elsewhere. */
export function closeMenus(): void {
  for (const type of ['click', 'focusin']) {
    document.addEventListener(type, ({ target }) => {
      for (const menu of openMenus()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
    });
  }
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector('summary')?.focus();
    }
  });
}
