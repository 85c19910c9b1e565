/**
 * A star's page in the browser: the header over the hero, tabs and filters put in place without leaving the page, the
 * lightbox and Follow. All of it is also a plain link or simply absent without JavaScript.
 */
import './share.ts';

const root = document.documentElement;
const hero = document.querySelector<HTMLElement>('[data-hero]');
const tagline = document.querySelector('.header-tagline');
const status = document.querySelector('[data-star-status]');

/** On phones the header is transparent over the hero; past it, it takes the page's ground and the star's name (look §7). */
if (hero && tagline) {
  const words = tagline.textContent;
  new IntersectionObserver(
    ([entry]) => {
      const past = entry ? !entry.isIntersecting : false;
      root.toggleAttribute('data-past-hero', past);
      tagline.textContent = past && innerWidth < 768 ? (hero.dataset.hero ?? words) : words;
    },
    { rootMargin: '-64px 0px 0px' },
  ).observe(hero);
}

const parts = new Map<string, Promise<Element>>();
const placeOf = (address: string) => address.replace(/#.*/, '');

/** The tabs of an address, cut out of the page that stands there. Failures are not remembered. */
function fetchPart(address: string): Promise<Element> {
  const known = parts.get(address);
  if (known) return known;
  const part = fetch(address, { signal: AbortSignal.timeout(10_000) }).then(async (response) => {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const found = page.querySelector('[data-part]');
    if (!response.ok || !found) throw new Error(`${response.status}`);
    return found;
  });
  part.catch(() => parts.delete(address));
  parts.set(address, part);
  return part;
}

let wanted = placeOf(location.href);
const shown = document.querySelector('[data-part]');
if (shown) parts.set(wanted, Promise.resolve(shown));

/** Puts the tabs of an address in place; the browser goes there itself when that fails. */
async function show(address: string): Promise<Element | undefined> {
  wanted = address;
  const current = document.querySelector('[data-part]');
  current?.setAttribute('aria-busy', 'true');
  try {
    const part = await fetchPart(address);
    if (wanted !== address) return undefined;
    document.querySelector('[data-part]')?.replaceWith(part);
    part.removeAttribute('aria-busy');
    document.dispatchEvent(new Event('visibilitychange'));
    return part;
  } catch {
    location.assign(address);
    return undefined;
  }
}

async function open(link: HTMLAnchorElement): Promise<void> {
  const address = placeOf(link.href);
  const { then, say } = link.dataset;
  const part = await show(address);
  if (!part) return;
  if (placeOf(location.href) !== address) history.pushState(null, '', address);
  const next = then
    ? part.querySelectorAll<HTMLElement>('[data-moment]')[Number(then)]
    : [...part.querySelectorAll<HTMLAnchorElement>('[data-in-place]')].find((each) => each.href === link.href);
  if (then) next?.setAttribute('tabindex', '-1');
  next?.focus({ preventScroll: true });
  if (status) status.textContent = say ?? link.firstChild?.textContent?.trim() ?? '';
}

addEventListener('popstate', () => {
  const address = placeOf(location.href);
  if (address !== wanted) void show(address);
});

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const link = target?.closest<HTMLAnchorElement>('[data-in-place],[data-photo]');
  if (!link) return;
  event.preventDefault();
  if (link.matches('[data-in-place]')) void open(link);
  else void import('./lightbox.ts').then(({ openLightbox }) => openLightbox(link));
});

const follow = document.querySelector<HTMLButtonElement>('[data-follow]');
const token = localStorage.getItem('auth_token');
if (follow && token) void import('./follow.ts').then(({ startFollow }) => startFollow(follow, token));
