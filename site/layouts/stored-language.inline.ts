/**
 * In the head of pages without a prefix (decision L4): a language chosen in this browser, or without one in the address the one
 * detected earlier, is asked for by `?lang=` before anything is painted.
 */
declare const __STORAGE_KEY__: string;
declare const __LANGUAGES__: readonly string[];

try {
  const root = document.documentElement;
  const address = new URL(location.href);
  const asked = address.searchParams.get('lang');
  const chosen =
    localStorage.getItem(`${__STORAGE_KEY__}:language`) ||
    (!asked && sessionStorage.getItem(`${__STORAGE_KEY__}:detected-language`));
  if (chosen && __LANGUAGES__.includes(chosen) && chosen !== root.lang && chosen !== asked) {
    address.searchParams.set('lang', chosen);
    root.style.visibility = 'hidden';
    location.replace(address);
  }
} catch {}

export {};
