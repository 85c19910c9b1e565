/** The choice between the system's theme, light and dark; the chosen one is there before the first paint (`before-paint.inline.ts`). */
import { storageKey } from '#content/site.ts';

const root = document.documentElement;
/** Reloaded or come back to, a page may have its choice from the browser, of another time. */
const isNew = performance
  .getEntriesByType('navigation')
  .every((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'navigate');
const themeKey = `${storageKey}:theme`;
const inputs = [...document.querySelectorAll<HTMLInputElement>('[data-theme-choice] input')];

function show(theme: string): void {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const input of inputs) input.checked = input.value === theme;
}

function choose(theme: string): void {
  show(theme);
  try {
    if (theme === 'system') localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, theme);
  } catch {
    // A browser that keeps nothing shows it on this page.
  }
}

/** Shows what was chosen by now, be it in another tab or on a page that Back has left. */
function showStored(): void {
  let stored: string | null | undefined = root.dataset.theme;
  try {
    stored = localStorage.getItem(themeKey);
  } catch {
    // A browser that keeps nothing has none from elsewhere.
  }
  show(stored === 'light' || stored === 'dark' ? stored : 'system');
}

// The page comes with none chosen: one that is was pressed before this script came.
const pressed = inputs.find(({ checked }) => checked)?.value;
showStored();
if (pressed && isNew) choose(pressed);
for (const input of inputs) input.addEventListener('change', () => choose(input.value));
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) showStored();
});
window.addEventListener('storage', ({ key }) => {
  if (key === themeKey) showStored();
});
