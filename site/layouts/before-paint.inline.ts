/**
 * Runs in the head of every page, before the first paint: the chosen theme, whether stars are selected (no flash of the wrong
 * feed), whether somebody is logged in (no flash of the login button), whether the clock is another than Korea's (no line that
 * comes late; its offset is free to ask, where a zone's name loads the tables of zones) and the redirect's timestamp leaving
 * the address bar (decision L3). Keep it under 1 kB.
 */
declare const __STORAGE_KEY__: string;
declare const __SESSION_MARK__: string;

const root = document.documentElement;

try {
  const theme = localStorage.getItem(`${__STORAGE_KEY__}:theme`);
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  const { selectedStarIds } = JSON.parse(localStorage.getItem(`${__STORAGE_KEY__}:preferences`) || '{}');
  if (Array.isArray(selectedStarIds) && selectedStarIds.length)
    root.dataset.stars = `${selectedStarIds.length}`;
  if (localStorage.getItem('auth_token') || document.cookie.includes(`${__SESSION_MARK__}=`))
    root.dataset.user = '';
} catch {}

const address = new URL(location.href);
if (address.searchParams.has('t')) {
  address.searchParams.delete('t');
  history.replaceState(history.state, '', address);
}
if (new Date().getTimezoneOffset() !== -540) root.dataset.abroad = '';
root.classList.add('js');

// A script that cannot be loaded shows the start-up failure. Such errors do not bubble.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.src)
      root.dataset.failed = navigator.onLine ? '' : 'offline';
  },
  true,
);

// What was pressed last before its script had come is pressed again when it has; whoever answers a press says so by `preventDefault`.
let pressed: Event | undefined;
const buttonOf = ({ target }: Event) =>
  (target as Element).closest<HTMLElement>('[data-follow],[data-like],[data-share]');
const note = (event: Event) => {
  if (buttonOf(event)) pressed = event;
};
addEventListener('click', note, true);
addEventListener('DOMContentLoaded', () => {
  removeEventListener('click', note, true);
  if (pressed && !pressed.defaultPrevented) buttonOf(pressed)?.click();
});

export {};
