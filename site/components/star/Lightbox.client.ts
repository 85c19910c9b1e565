/**
 * The lightbox (§2 Photos): a native dialog over the photos that are shown. Previous and next wrap around; arrow keys,
 * swipe of 50 px and Escape work; the neighbours are loaded ahead; the dialog gives the focus back itself. It is a step of the
 * history of its own: Back closes it and leaves the tab under it.
 */
const dialog = document.querySelector<HTMLDialogElement>('#lightbox');
const swipe = 50;
let photos: HTMLAnchorElement[] = [];
let index = 0;

const part = <E extends Element>(name: string) => dialog?.querySelector<E>(`[data-lightbox-${name}]`);
const picture = document.createElement('picture');
const image = new Image();
const source = Object.assign(document.createElement('source'), { type: 'image/avif' });
const avif = (link: HTMLAnchorElement) => link.href.replace(/\.webp$/, '.avif');

function write(name: 'title' | 'words' | 'by' | 'place', text = ''): void {
  const line = part<HTMLElement>(name);
  if (!line) return;
  line.textContent = text;
  line.hidden = text === '';
}

function show(position: number): void {
  index = (position + photos.length) % photos.length;
  const link = photos[index];
  const thumbnail = link?.querySelector('img');
  if (!link || !thumbnail) return;
  source.srcset = avif(link);
  // A picture that failed lost its source and became the star's mark; the next one starts anew.
  picture.replaceChildren(source, image);
  part('picture')?.replaceChildren(picture);
  delete image.dataset.failed;
  image.style.opacity = '';
  image.dataset.fallback = thumbnail.dataset.fallback;
  image.src = link.href;
  image.alt = thumbnail.alt;
  write('title', thumbnail.alt);
  write('words', link.dataset.words);
  write('by', link.dataset.photo);
  write('place', `${index + 1} / ${photos.length}`);
  image.decode().then(preload, () => undefined);
}

/** Neighbours are asked for in the format that this browser took. */
function preload(): void {
  const takesAvif = image.currentSrc.endsWith('.avif');
  for (const step of [1, -1]) {
    const link = photos[(index + step + photos.length) % photos.length];
    if (link) new Image().src = takesAvif ? avif(link) : link.href;
  }
}

/** Opens at a photo's link; the photos are those that stand beside it, filtered as they are. */
export function openLightbox(link: HTMLAnchorElement): void {
  photos = [...document.querySelectorAll<HTMLAnchorElement>('[data-photo]')];
  for (const step of dialog?.querySelectorAll<HTMLElement>('[data-lightbox-step]') ?? []) {
    step.hidden = photos.length < 2;
  }
  show(photos.indexOf(link));
  dialog?.showModal();
  history.pushState({ lightbox: true }, '');
}

addEventListener('popstate', () => dialog?.close());
dialog?.addEventListener('close', () => {
  // Closed by hand, it takes its step back; after Back that is gone already.
  if (history.state?.lightbox) history.back();
});

dialog?.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  const step = target.closest<HTMLElement>('[data-lightbox-step]')?.dataset.lightboxStep;
  if (step) show(index + Number(step));
  else if (target === dialog || target.closest('[data-lightbox-close]')) dialog.close();
});

dialog?.addEventListener('keydown', ({ key }) => {
  if (key === 'ArrowLeft') show(index - 1);
  if (key === 'ArrowRight') show(index + 1);
});

let from: number | undefined;
dialog?.addEventListener('pointerdown', (event) => {
  from = event.isPrimary ? event.clientX : undefined;
});
dialog?.addEventListener('pointerup', (event) => {
  if (from === undefined) return;
  const distance = event.clientX - from;
  from = undefined;
  if (Math.abs(distance) >= swipe) show(index + (distance < 0 ? 1 : -1));
});
