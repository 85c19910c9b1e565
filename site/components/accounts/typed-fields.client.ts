/**
 * What was typed into a form of accounts goes along to the next of these pages, and no further: in another language, or to the
 * forgotten password. In the tab's own storage, so that no address carries it; never a password.
 */
import { storageKey } from '#content/site.ts';
import { fromStorage } from '../../client/storage.ts';

const key = `${storageKey}:typed`;
const kept = ['email', 'username', 'displayName'];

const inputs = () =>
  [...document.querySelectorAll<HTMLInputElement>('.account-form .account-input input')].filter(({ name }) =>
    kept.includes(name),
  );

function keepTyped(): void {
  const typed = Object.fromEntries(inputs().map(({ name, value }) => [name, value]));
  fromStorage(() => sessionStorage.setItem(key, JSON.stringify(typed)));
}

/** What the server or the browser has filled in itself stays. */
function restoreTyped(): void {
  const typed: Record<string, string> =
    fromStorage(() => JSON.parse(sessionStorage.getItem(key) ?? '{}')) ?? {};
  fromStorage(() => sessionStorage.removeItem(key));
  for (const input of inputs()) input.value ||= typed[input.name] ?? '';
}

/** Fills in what was typed on the page before, and takes what is typed here along. */
export function carryTypedFields(): void {
  restoreTyped();
  // Before the press leads away, whoever answers it.
  document.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('a[data-language], a[data-keep-typed]')) keepTyped();
    },
    true,
  );
}
