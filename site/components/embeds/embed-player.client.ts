/**
 * Posters that become players: nothing reaches a platform before the click, one that says nothing for 10 s or reports an
 * error becomes the failure card of §8, and what is folded away stops playing.
 */
import { platformName } from '../../lib/embeds/embeds.ts';

interface Player {
  iframe: HTMLIFrameElement;
  timer: ReturnType<typeof setTimeout>;
  fail: () => void;
}

const answerTimeout = 10_000;
const retryPause = 100;
const players = new Map<HTMLElement, Player>();

function parts(card: HTMLElement) {
  return { box: card.querySelector('.embed-box'), poster: card.querySelector<HTMLElement>('.embed-poster') };
}

/** Takes the player or the failure away and shows the poster again. */
export function stopPlayer(card: HTMLElement): void {
  const { box, poster } = parts(card);
  clearTimeout(players.get(card)?.timer);
  players.delete(card);
  box?.querySelectorAll('iframe, .embed-failure').forEach((element) => {
    element.remove();
  });
  box?.removeAttribute('aria-busy');
  if (poster) poster.hidden = false;
}

function showFailure(card: HTMLElement, message: string): void {
  const focused = card.contains(document.activeElement);
  stopPlayer(card);
  const { box, poster } = parts(card);
  const failure = document
    .querySelector<HTMLTemplateElement>('template[data-failure]')
    ?.content.cloneNode(true);
  if (!box || !poster || !(failure instanceof DocumentFragment)) return;
  poster.hidden = true;
  const text = failure.querySelector('p');
  if (text) text.textContent = message.replace('{platform}', platformName(card.dataset.platform ?? ''));
  const button = failure.querySelector('button');
  button?.addEventListener('click', () => {
    button.disabled = true;
    setTimeout(() => startPlayer(card, message), retryPause);
  });
  box.append(failure);
  if (focused) button?.focus();
}

function makeIframe(address: string, title: string): HTMLIFrameElement {
  const iframe = document.createElement('iframe');
  iframe.src = address;
  iframe.title = title;
  iframe.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture';
  // Players refuse to start without knowing the embedding site; the path stays here.
  iframe.referrerPolicy = 'strict-origin-when-cross-origin';
  iframe.sandbox.add(
    'allow-scripts',
    'allow-same-origin',
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    'allow-presentation',
  );
  return iframe;
}

/** Puts the player in the poster's place. `message` is the failure's sentence with `{platform}`. */
export function startPlayer(card: HTMLElement, message: string): void {
  const { player: address, platform = '', title = '' } = card.dataset;
  stopPlayer(card);
  const { box, poster } = parts(card);
  if (!address || !box || !poster) {
    showFailure(card, message);
    return;
  }
  const fail = () => showFailure(card, message);
  const iframe = makeIframe(address, `${platformName(platform)}: ${title}`);
  const player = { iframe, fail, timer: setTimeout(fail, answerTimeout) };
  players.set(card, player);
  iframe.addEventListener('load', () => {
    clearTimeout(player.timer);
    box.removeAttribute('aria-busy');
    // YouTube answers this; the browser's own error page, which loads as well, does not.
    if (platform !== 'youtube') return;
    player.timer = setTimeout(fail, answerTimeout);
    iframe.contentWindow?.postMessage(
      '{"event":"listening","id":1,"channel":"widget"}',
      new URL(address).origin,
    );
  });
  box.setAttribute('aria-busy', 'true');
  poster.hidden = true;
  box.append(iframe);
  iframe.focus();
}

/** Players tell their height and their errors by messages, each in its own dialect of JSON. */
addEventListener('message', ({ source, origin, data }) => {
  for (const [card, { iframe, timer, fail }] of players) {
    if (iframe.contentWindow !== source || new URL(iframe.src).origin !== origin) continue;
    clearTimeout(timer);
    const text = typeof data === 'string' ? data : String(JSON.stringify(data));
    if (text.includes('"event":"onError"')) fail();
    const height = Number(/"height":(\d{2,4})/.exec(text)?.[1] ?? 0);
    if (card.dataset.platform !== 'youtube' && height >= 80)
      iframe.style.height = `${Math.min(height, 1600)}px`;
  }
});
