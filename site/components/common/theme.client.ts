/** The choice between the system's theme, light and dark; the chosen one is there before the first paint (`before-paint.inline.ts`). */
import { storageKey } from '#content/site.ts';

const root = document.documentElement;
/** Reloaded or come back to, a page may have its choice from the browser, of another time. */
const isNew = performance
  .getEntriesByType('navigation')
  .every((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'navigate');
const themeKey = `${storageKey}:theme`;

function apply(theme: string): void {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, theme);
  } catch {
    // A browser that keeps nothing shows it on this page.
  }
}

for (const choice of document.querySelectorAll<HTMLElement>('[data-theme-choice]')) {
  const inputs = [...choice.querySelectorAll('input')];
  // The page comes with none chosen: one that is was pressed before this script came.
  const pressed = inputs.find(({ checked }) => checked)?.value;
  if (pressed && isNew) apply(pressed);
  const current = root.dataset.theme ?? 'system';
  for (const input of inputs) {
    input.checked = input.value === current;
    input.addEventListener('change', () => apply(input.value));
  }
}
