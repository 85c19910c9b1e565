import { placeholderOf } from '#content/art/ramp.ts';
import { site } from '#content/site.ts';
import type { ArtSource, pictures } from '../schema/media.ts';
import type { ArticleFile, DemoWorld, StarFile } from './content.ts';
import { chance } from './random.ts';

type PictureRow = typeof pictures.$inferInsert;
type Subject = Pick<ArtSource, 'name' | 'fandomColor' | 'figures'>;

/** Keys of the demo's pictures, as they stand in addresses and in the folder of made pictures. */
export const pictureKeys = {
  article: (order: number) => `article-${order}`,
  embed: (order: number, place: number) => `article-${order}-embed-${place}`,
  photo: (slug: string, place: number) => `star-${slug}-photo-${place}`,
  hero: (slug: string) => `star-${slug}-hero`,
  chart: (slug: string) => `star-${slug}-chart`,
} as const;

const brand: Subject = { name: site.nameInKorean, fandomColor: site.brandColor };
const embedRecipes = ['aura', 'portrait', 'stage', 'riso'] as const;

/**
 * Every picture of the demo world as a row: what it is drawn from and the colour that stands in for it. Where the
 * picture generator has made the picture, its own order counts, so that sizes drawn later match the made ones.
 */
export function demoPictures(world: DemoWorld): PictureRow[] {
  const bySlug = new Map(world.stars.map((star) => [star.slug, star]));
  const planned = [
    { aspect: '3:2', art: { ...brand, recipe: 'chart', seed: 'brand' } },
    ...world.stars.flatMap(ofStar),
    ...world.articles.flatMap((article) => ofArticle(article, bySlug)),
  ];
  return planned.map(({ aspect, art }) => ({
    key: art.seed,
    art: world.pictures.pictures[art.seed]?.art ?? art,
    aspect,
    placeholder: placeholderOf(art.fandomColor),
  }));
}

interface Planned {
  aspect: string;
  /** The seed is the picture's key. */
  art: ArtSource;
}

/** Pictures know a star by its Korean display name and its colour, a group also by the number of its members. */
function subjectOf({ names, fandomColor, members }: StarFile): Subject {
  return { name: names.ko, fandomColor, ...(members && { figures: members.length }) };
}

function ofStar(star: StarFile): Planned[] {
  const { slug, photos, members } = star;
  const subject = subjectOf(star);
  const hero = members ? 'horizon' : 'portrait';
  return [
    { aspect: '12:5', art: { ...subject, recipe: hero, seed: pictureKeys.hero(slug) } },
    { aspect: '3:2', art: { ...subject, recipe: 'chart', seed: pictureKeys.chart(slug) } },
    ...photos.map(({ aspect, recipe }, index) => ({
      aspect,
      art: { ...subject, recipe, seed: pictureKeys.photo(slug, index + 1) },
    })),
  ];
}

function ofArticle(article: ArticleFile, stars: ReadonlyMap<string, StarFile>): Planned[] {
  const { order, recipe, figures, embeds } = article;
  const [first, second] = article.stars.map((slug) => stars.get(slug));
  const subject = first ? subjectOf(first) : brand;
  const duo = recipe === 'duo' &&
    second && { second: { name: second.names.ko, fandomColor: second.fandomColor } };
  const own = { ...subject, recipe, seed: pictureKeys.article(order), ...(figures && { figures }), ...duo };
  return [
    { aspect: '3:2', art: own },
    ...embeds.map((_, index) => {
      const seed = pictureKeys.embed(order, index + 1);
      return { aspect: '16:9', art: { ...subject, recipe: chance(seed).pick(embedRecipes), seed } };
    }),
  ];
}
