/** The dashboard's figures stay true: asked for every 30 s (§9), while somebody can see them. */
import { callApi } from '../../client/api.ts';

const interval = 30_000;
const { lang } = document.documentElement;

async function refresh(): Promise<void> {
  const stats = await callApi('get', '/api/admin/stats');
  const format = new Intl.NumberFormat(lang);
  for (const figure of document.querySelectorAll<HTMLElement>('[data-figure]')) {
    const value: unknown = Reflect.get(stats, figure.dataset.figure ?? '');
    if (typeof value === 'number') figure.textContent = format.format(value);
  }
  await refreshLists();
}

/** The lists come as the page itself renders them; not under somebody's hands. */
async function refreshLists(): Promise<void> {
  const shownLists = document.querySelector('[data-live]');
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (!answer.ok || !shownLists || shownLists.contains(document.activeElement)) return;
  const page = document.createElement('template');
  page.innerHTML = await answer.text();
  const newLists = page.content.querySelector('[data-live]');
  if (newLists) shownLists.replaceWith(newLists);
}

let refreshedAt = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;
function refreshWhenDue(): void {
  clearTimeout(timer);
  if (document.visibilityState !== 'visible') return;
  if (Date.now() - refreshedAt >= interval) {
    refreshedAt = Date.now();
    refresh().catch((error: unknown) => console.error(error));
  }
  timer = setTimeout(refreshWhenDue, interval - (Date.now() - refreshedAt));
}
refreshWhenDue();
document.addEventListener('visibilitychange', refreshWhenDue);
