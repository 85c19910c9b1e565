/**
 * Somebody who comes back after a while is offered what is new (§4: after 5 minutes without a sign of life, checked every 60
 * seconds). Nobody is interrupted while typing, and nothing takes the focus. Loaded after the first minute.
 */

import { callApi } from '../../client/api.ts';
import { favourites } from '../../stores/favourites.ts';
import { type NoticeWords, noticeWords } from './notice-words.client.ts';

const idleAfter = 5 * 60_000;
const checkInterval = 60_000;
/** This file comes with the first sign of a pointer, or after a minute without one. */
let lastActivity = performance.now() < checkInterval ? Date.now() : performance.timeOrigin;

const isTyping = () => {
  const focused = document.activeElement;
  return (
    focused instanceof HTMLElement && focused.matches('input:not([readonly]), textarea, [contenteditable]')
  );
};

function button(className: string, label: string, run: () => void): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), {
    type: 'button',
    className,
    textContent: label,
  });
  element.addEventListener('click', run);
  return element;
}

/** The home feed shows the selected stars' stories, a channel its star's; elsewhere what is new is on the home page. */
function whatToCount(): { starIds: readonly number[]; home?: string } {
  const [, channel] = location.pathname.match(/^\/\w\w\/community\/(\d+)\/?$/) ?? [];
  if (channel) return { starIds: [Number(channel)] };
  if (document.querySelector('#feed')) return { starIds: favourites.get().slice(0, 100) };
  return { starIds: [], home: `/${document.documentElement.lang}` };
}

/** How many stories have come in since this page was opened; undefined when nobody can say. */
async function countNew(starIds: readonly number[]): Promise<number | undefined> {
  try {
    const within = Math.min(Math.ceil((Date.now() - performance.timeOrigin) / 1000), 31_536_000);
    const { count } = await callApi('get', '/api/articles/new', {
      query: { within, ...(starIds.length > 0 ? { starIds: JSON.stringify(starIds) } : {}) },
      retries: 0,
    });
    return count;
  } catch {
    return undefined;
  }
}

function sentence(words: NoticeWords, count: number | undefined): string {
  if (count === undefined) return words.idleText;
  if (count === 0) return words.idleNone;
  const one = new Intl.PluralRules(document.documentElement.lang).select(count) === 'one';
  return (one ? words.idleNew_one : words.idleNew_other).replace('{{count}}', String(count));
}

function show(words: NoticeWords, count: number | undefined, home: string | undefined): void {
  const prompt = document.createElement('section');
  prompt.className = 'idle';
  prompt.setAttribute('role', 'status');
  const go = () => {
    if (home && count !== 0) location.assign(home);
    else {
      scrollTo(0, 0);
      location.reload();
    }
  };
  prompt.append(
    Object.assign(document.createElement('p'), { textContent: sentence(words, count) }),
    button('button button-primary', count === 0 ? words.idleRefresh : words.idleShow, go),
    button('button button-quiet', words.idleStay, () => prompt.remove()),
  );
  document.body.append(prompt);
}

const isBusy = () =>
  Date.now() - lastActivity < idleAfter ||
  isTyping() ||
  document.querySelector('.idle, dialog[open]') !== null;

async function checkIdle(): Promise<void> {
  if (isBusy()) return;
  const { starIds, home } = whatToCount();
  // What is new cannot be had without a network; the offline line says so already.
  const words = await noticeWords().catch(() => undefined);
  if (!words) return;
  const count = await countNew(starIds);
  if (!isBusy()) show(words, count, home);
}

// Not `scroll`: a chat scrolls by itself when somebody else writes.
for (const sign of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
  addEventListener(sign, () => (lastActivity = Date.now()), { passive: true, capture: true });
}
void checkIdle();
setInterval(() => void checkIdle(), checkInterval);
