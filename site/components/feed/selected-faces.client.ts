/** Who is meant by "My Stars" in the banner over their feed: the first few faces, and how many more there are. */
import type { StarListItem } from '#api/stars/model.ts';
import { isLang } from '#content/locales.ts';
import { callApi } from '../../client/api.ts';

/** As many as stand beside the words on the narrowest phone; where a number follows, it takes the place of the last. */
const maxFaces = 3;
const place = document.querySelector('[data-selected-faces]');

/** The rail of popular stars has face and name already; only for others is the server asked. */
function onRail(id: number): Pick<StarListItem, 'imageUrl' | 'name'> | undefined {
  const star = document.querySelector<HTMLElement>(`[data-star="${id}"]`);
  const imageUrl = star?.dataset.image;
  return imageUrl ? { imageUrl, name: star.textContent.trim() } : undefined;
}

async function fetchStars(ids: readonly number[]): Promise<Map<number, StarListItem>> {
  if (ids.length === 0) return new Map();
  const { lang } = document.documentElement;
  const query = {
    starIds: JSON.stringify(ids),
    limit: ids.length,
    ...(isLang(lang) ? { language: lang } : {}),
  };
  const stars = await callApi('get', '/api/stars', { query, timeout: 5000, retries: 1 });
  return new Map(stars.map((star) => [star.id, star]));
}

/** Each face has its place at once, so that the words beside it do not move when it comes; without an answer it stays empty. */
export function showFaces(ids: readonly number[]): void {
  const visibleIds = ids.length > maxFaces ? ids.slice(0, maxFaces - 1) : ids;
  const faces = visibleIds.map((id) => ({ id, image: new Image(24, 24) }));
  const show = (image: HTMLImageElement, star: Pick<StarListItem, 'imageUrl' | 'name'>) =>
    Object.assign(image, { src: star.imageUrl, alt: star.name, title: star.name });
  for (const { id, image } of faces) {
    const star = onRail(id);
    if (star) show(image, star);
  }
  place?.replaceChildren(...faces.map(({ image }) => image));
  if (ids.length > visibleIds.length) place?.append(`+${ids.length - visibleIds.length}`);
  const unknown = faces.filter(({ image }) => !image.src);
  fetchStars(unknown.map(({ id }) => id)).then(
    (stars) => {
      for (const { id, image } of unknown) {
        const star = stars.get(id);
        if (star) show(image, star);
        else image.remove();
      }
    },
    (error: unknown) => console.error('The banner names not all of the selected stars', error),
  );
}
