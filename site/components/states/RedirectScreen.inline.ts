/**
 * The language-redirect screen (§2, decisions L2, L3). Order: explicit choice, language detected earlier in this session, the
 * server's detection (3 s), the browser's languages, Korean. Guarded for 5 s against loops; a navigation without effect is
 * forced after 800 ms, at once when it failed; one that was only slow leaves no second entry to go back through. Every error
 * ends at /ko.
 */
declare const __STORAGE_KEY__: string;
declare const __LANGUAGES__: readonly string[];

const isLang = (value: unknown): value is string => __LANGUAGES__.includes(value as string);

function say(name: string, value: unknown): void {
  const place = document.querySelector(`[data-debug=${name}]`);
  if (place) place.textContent = String(value);
}

function go(lang: string, why: string): void {
  const path = location.pathname === '/' ? '' : location.pathname;
  const target = new URL(`/${lang}${path}${location.search}`, location.origin);
  target.searchParams.set('t', String(Date.now()));
  say('language', `${lang} (${why})`);
  say('target', target.pathname + target.search);
  try {
    sessionStorage.setItem(`${__STORAGE_KEY__}:redirect-started`, String(Date.now()));
  } catch {}
  let wait = 800;
  try {
    location.replace(target);
  } catch {
    wait = 0;
  }
  setTimeout(() => location.replace(target), wait);
}

async function redirect(): Promise<void> {
  say('path', location.pathname + location.search);
  say('browser', navigator.languages.join(', '));
  const started = Number(sessionStorage.getItem(`${__STORAGE_KEY__}:redirect-started`));
  if (Date.now() - started < 5000) {
    say('language', 'guard');
    document.documentElement.dataset.guard = 'held';
    return;
  }
  const chosen = localStorage.getItem(`${__STORAGE_KEY__}:language`);
  if (isLang(chosen)) return go(chosen, 'stored');
  const before = sessionStorage.getItem(`${__STORAGE_KEY__}:detected-language`);
  if (isLang(before)) return go(before, 'session');
  try {
    const answer = await fetch('/api/detect-language', {
      signal: AbortSignal.timeout(3000),
      headers: { accept: 'application/json' },
    });
    const { detectedLanguage } = await answer.json();
    if (answer.ok && isLang(detectedLanguage)) {
      sessionStorage.setItem(`${__STORAGE_KEY__}:detected-language`, detectedLanguage);
      return go(detectedLanguage, 'server');
    }
  } catch (error) {
    say('error', error);
  }
  const own = navigator.languages.map((each) => each.slice(0, 2).toLowerCase()).find(isLang);
  go(own ?? 'ko', own ? 'browser' : 'default');
}

document.querySelector('[data-continue]')?.addEventListener('click', (event) => {
  event.preventDefault();
  try {
    localStorage.setItem(`${__STORAGE_KEY__}:language`, 'ko');
  } catch {}
  go('ko', 'choice');
});

redirect().catch((error: unknown) => {
  say('error', error);
  location.replace('/ko');
});

export {};
