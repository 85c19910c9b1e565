/** The choice between the system's theme, light and dark; the chosen one is there before the first paint (`inline-scripts.ts`). */
import { site } from '#content/site.ts';

const root = document.documentElement;
const themeKey = `${site.storageKey}:theme`;
for (const choice of document.querySelectorAll<HTMLElement>('[data-theme-choice]')) {
  const current = root.dataset.theme ?? 'system';
  for (const input of choice.querySelectorAll('input')) {
    input.checked = input.value === current;
    input.addEventListener('change', () => {
      if (input.value === 'system') delete root.dataset.theme;
      else root.dataset.theme = input.value;
      try {
        if (input.value === 'system') localStorage.removeItem(themeKey);
        else localStorage.setItem(themeKey, input.value);
      } catch {
        // A browser that keeps nothing shows it on this page.
      }
    });
  }
}
