/**
 * Choosing an event (§2 Events page): its story when it has one, else the event becomes the selected one and its details
 * open in place (decision E4).
 */
import { isLang, type Lang } from '#content/locales.ts';
import { storageKey } from '#content/site.ts';
import { callApi, fetchPatiently } from '../../client/api.ts';
import { followByItself } from '../../client/follow-by-itself.ts';
import { ticketsAdded } from '../../stores/events.ts';
import { recordView } from './record-view.client.ts';

const requestTimeOut = 5000;

/** The address of the story that announced an event; a failed lookup is only logged (§8). */
async function storyOf(id: string, lang: Lang): Promise<string | undefined> {
  try {
    const query = { eventId: Number(id), limit: 1, language: lang };
    const [story] = await callApi('get', '/api/articles', { query, timeout: requestTimeOut, retries: 0 });
    const path = story && `/${lang}/article/${story.id}`;
    // On the story itself it would lead nowhere.
    return path === location.pathname ? undefined : path;
  } catch (error) {
    console.error('related article:', error);
    return undefined;
  }
}

/** Of several presses the last one counts: an answer to one before it opens nothing. */
let latestChoice: { link: HTMLAnchorElement } | undefined;

/** Goes where the event leads. `link` is its real link: where the browser goes when nothing else works. */
export async function chooseEvent(link: HTMLAnchorElement): Promise<void> {
  const id = link.dataset.event ?? '';
  if (latestChoice?.link === link) return;
  latestChoice?.link.removeAttribute('aria-busy');
  const choice = { link };
  latestChoice = choice;
  const isLatest = () => latestChoice === choice;
  link.setAttribute('aria-busy', 'true');
  const { lang } = document.documentElement;
  const story = isLang(lang) ? await storyOf(id, lang) : undefined;
  if (!isLatest()) return;
  if (story) location.assign(story);
  else await select(id, link, isLatest);
  if (!isLatest()) return;
  link.removeAttribute('aria-busy');
  latestChoice = undefined;
}

async function select(id: string, link: HTMLAnchorElement, isLatest: () => boolean): Promise<void> {
  try {
    sessionStorage.setItem(`${storageKey}:selected-event`, id);
  } catch {
    // A browser that keeps nothing opens it all the same.
  }
  for (const ticket of document.querySelectorAll('[data-selected]')) ticket.removeAttribute('data-selected');
  link.closest('[data-ticket]')?.setAttribute('data-selected', '');
  try {
    const html = await fetchPatiently(link.href, {}, (answer) => answer.text(), {
      timeout: requestTimeOut,
      retries: 1,
      pause: 0,
    });
    // Not as a document, whose inline style our policy would refuse.
    const page = document.createElement('template');
    page.innerHTML = html;
    const details = page.content.querySelector<HTMLElement>('[data-event-details]');
    if (!details) throw new Error('no details');
    if (isLatest()) await loadStyleSheets(page.content);
    if (!isLatest()) return;
    open(details, link);
    recordView(id);
  } catch {
    if (isLatest()) followByItself(link.href);
  }
}

const styleTimeOut = 3000;

/** The details bring the style of their page along: most pages with events never show them. */
async function loadStyleSheets(page: DocumentFragment): Promise<void> {
  const missing = [
    ...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]:not([media="print"])'),
  ].filter((link) => !document.querySelector(`link[href="${link.getAttribute('href')}"]`));
  await Promise.all(
    missing.map(
      (link) =>
        new Promise((done) => {
          const sheet = document.createElement('link');
          sheet.rel = 'stylesheet';
          sheet.href = link.getAttribute('href') ?? '';
          for (const type of ['load', 'error']) sheet.addEventListener(type, done);
          setTimeout(done, styleTimeOut);
          document.head.append(sheet);
        }),
    ),
  );
}

/** Not that of the page below, which may be another event's. */
const titleId = 'event-sheet-title';

/** The event's own page, cut to its details, in a sheet; the focus comes back to the link. */
function open(details: HTMLElement, link: HTMLAnchorElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'sheet event-sheet';
  dialog.setAttribute('aria-labelledby', titleId);
  dialog.setAttribute('closedby', 'any');
  const body = document.createElement('div');
  body.className = 'sheet-body sheet-scroll-all';
  const close = details.querySelector<HTMLButtonElement>('[data-close]');
  if (close) close.hidden = false;
  close?.addEventListener('click', () => dialog.close());
  details.querySelector<HTMLElement>('[data-open-page]')?.removeAttribute('hidden');
  // The event's own page fills them in.
  details.querySelector('[data-reminders]')?.remove();
  const heading = details.querySelector('h1');
  if (heading) {
    const smaller = document.createElement('h2');
    for (const { name, value } of heading.attributes) smaller.setAttribute(name, value);
    smaller.id = titleId;
    smaller.append(...heading.childNodes);
    heading.replaceWith(smaller);
  }
  body.append(details);
  dialog.append(body);
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  ticketsAdded();
}
