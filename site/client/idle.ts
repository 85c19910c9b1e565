/**
 * Somebody who comes back after a while is offered what is new (§4: after 5 minutes without a sign of life, checked every 60
 * seconds). Nobody is interrupted while typing, and nothing takes the focus. Loaded after the first minute.
 */
import { type NoticeWords, noticeWords } from './notice-words.ts';

const patience = 5 * 60_000;
const every = 60_000;
/** This file comes with the first sign of a pointer, or after a minute without one. */
let lastSign = performance.now() < every ? Date.now() : performance.timeOrigin;

const isTyping = () => {
  const focused = document.activeElement;
  return (
    focused instanceof HTMLElement && focused.matches('input:not([readonly]), textarea, [contenteditable]')
  );
};

function button(className: string, label: string, run: () => void): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), {
    type: 'button',
    className,
    textContent: label,
  });
  made.addEventListener('click', run);
  return made;
}

function show(words: NoticeWords): void {
  const prompt = document.createElement('section');
  prompt.className = 'idle';
  prompt.setAttribute('role', 'status');
  prompt.append(
    Object.assign(document.createElement('p'), { textContent: words.idleText }),
    button('button button-primary', words.idleShow, () => location.reload()),
    button('button button-quiet', words.idleStay, () => prompt.remove()),
  );
  document.body.append(prompt);
}

async function look(): Promise<void> {
  if (Date.now() - lastSign < patience || isTyping() || document.querySelector('.idle, dialog[open]')) return;
  // What is new cannot be had without a network; the offline line says so already.
  const words = await noticeWords().catch(() => undefined);
  if (words && !document.querySelector('.idle')) show(words);
}

for (const sign of ['pointerdown', 'pointermove', 'keydown', 'scroll', 'touchstart']) {
  addEventListener(sign, () => (lastSign = Date.now()), { passive: true, capture: true });
}
void look();
setInterval(() => void look(), every);
