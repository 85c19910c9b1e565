/** Says what an icon alone means to whoever rests on it for 700 ms; the next one within 300 ms comes at once (§9 Tooltip). */

const delay = 700;
const skip = 300;
const targets = '.icon-button[aria-label], [data-tip]';

let tip: HTMLElement | undefined;
let owner: Element | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let hiddenAt = Number.NEGATIVE_INFINITY;

function hide(): void {
  clearTimeout(timer);
  owner = undefined;
  if (!tip) return;
  tip.remove();
  tip = undefined;
  hiddenAt = performance.now();
}

function show(target: Element): void {
  const text = target.getAttribute('data-tip') ?? target.getAttribute('aria-label') ?? '';
  const box = target.getBoundingClientRect();
  tip = Object.assign(document.createElement('div'), { className: 'tip', textContent: text });
  // The target's own name says the same to who listens.
  tip.setAttribute('aria-hidden', 'true');
  document.body.append(tip);
  const left = box.left + (box.width - tip.offsetWidth) / 2;
  const below = box.bottom + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${below ? box.bottom : box.top - tip.offsetHeight}px`;
}

function startDelay(target: Element): void {
  if (target === owner) return;
  hide();
  owner = target;
  timer = setTimeout(() => show(target), performance.now() - hiddenAt < skip ? 0 : delay);
}

const targetOf = ({ target }: Event) => (target instanceof Element ? target.closest(targets) : null);

function followPointer(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || event.target === tip) return;
  const target = targetOf(event);
  if (target) startDelay(target);
  else hide();
}

document.addEventListener('pointerover', followPointer);
// This file comes with the first move of a mouse, which may have gone straight to an icon.
const hovered = document.querySelector(`:is(${targets}):hover`);
if (hovered && matchMedia('(hover: hover)').matches) startDelay(hovered);
document.addEventListener('focusin', (event) => {
  const target = targetOf(event);
  if (target?.matches(':focus-visible')) startDelay(target);
});
document.addEventListener('focusout', hide);
document.addEventListener('pointerdown', hide);
document.addEventListener('scroll', hide, { passive: true, capture: true });
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') hide();
});
