import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ArtOrder } from '#content/art/draw.ts';
import { fnv1a } from '#content/art/random.ts';
import { type People, RECIPES, type RecipeName } from '#content/art/scene.ts';
import { chooseMark, type StarMark } from './mark-similarity.ts';
import type { PictureKind } from './variants.ts';

/** A picture the demo world needs: its key in URLs, what it shows (nothing for the brand's), in which sizes. */
export type PlannedPicture = {
  readonly key: string;
  readonly kind: PictureKind;
  readonly art: ArtOrder | null;
  readonly fandomColor: string;
};

/** A star's avatar to be kept as SVG. */
export type PlannedMark = StarMark & { readonly slug: string };

type DemoPlan = {
  readonly pictures: readonly PlannedPicture[];
  readonly marks: readonly PlannedMark[];
};

const Recipe = Type.Union(RECIPES.map((name) => Type.Literal(name)));
const PhotoAspect = Type.Union([Type.Literal('3:2'), Type.Literal('3:4'), Type.Literal('1:1')]);

const Star = Type.Object({
  slug: Type.String(),
  order: Type.Integer(),
  fandomColor: Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' }),
  names: Type.Object({ ko: Type.String() }),
  members: Type.Optional(Type.Array(Type.Unknown())),
  profile: Type.Object({ biography: Type.Object({ en: Type.String() }) }),
  photos: Type.Array(Type.Object({ aspect: PhotoAspect, recipe: Recipe })),
});
const Article = Type.Object({
  order: Type.Integer(),
  stars: Type.Array(Type.String(), { minItems: 1 }),
  recipe: Recipe,
  figures: Type.Union([Type.Integer(), Type.Null()]),
  embeds: Type.Array(Type.Unknown()),
});
type Star = Static<typeof Star>;
type Article = Static<typeof Article>;

const BRAND_COLOUR = '#ff4b1f';
const EMBED_RECIPES = ['aura', 'stage', 'portrait', 'tunnel', 'studio', 'riso', 'chart'] as const;

/**
 * Everything the demo content (`content/demo/README.md`) shows as a picture.
 * @throws Error naming the file when a star or article does not have the shape of that README.
 */
export async function planDemoPictures(folder: string): Promise<DemoPlan> {
  const stars = await readAll(join(folder, 'stars'), Star);
  const articles = await readAll(join(folder, 'articles'), Article);
  stars.sort((one, other) => one.order - other.order);
  articles.sort((one, other) => one.order - other.order);
  const bySlug = new Map(stars.map((star) => [star.slug, star]));
  return {
    pictures: [
      { key: 'brand', kind: 'brand', art: null, fandomColor: BRAND_COLOUR },
      ...articles.flatMap((article) => picturesOfArticle(article, bySlug)),
      ...stars.flatMap(picturesOfStar),
    ],
    marks: await marksOf(stars),
  };
}

/** In roster order: whoever comes later differs from all before. */
async function marksOf(stars: readonly Star[]): Promise<PlannedMark[]> {
  const marks: PlannedMark[] = [];
  for (const { slug, names, fandomColor } of stars) {
    const subject = { name: names.ko, fandomColor };
    marks.push({ slug, ...subject, style: (await chooseMark([subject], marks)).style });
  }
  return marks;
}

async function readAll<Schema extends TSchema>(folder: string, schema: Schema): Promise<Static<Schema>[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    names.map(async (name) => {
      const data: unknown = await Bun.file(join(folder, name)).json();
      if (Value.Check(schema, data)) return data;
      const wrong = Value.Errors(schema, data).First();
      throw new Error(`${join(folder, name)}: ${wrong?.path} ${wrong?.message}`);
    }),
  );
}

function picturesOfArticle(article: Article, stars: ReadonlyMap<string, Star>): PlannedPicture[] {
  const [first, second] = article.stars.map((slug) => {
    const star = stars.get(slug);
    if (!star) throw new Error(`article ${article.order} names an unknown star: ${slug}`);
    return star;
  });
  if (!first) return [];
  const key = `article-${article.order}`;
  const art: ArtOrder = {
    ...subjectOf(first),
    recipe: article.recipe,
    seed: key,
    ...(article.figures && { figures: article.figures }),
    ...(article.recipe === 'duo' &&
      second && { second: { name: second.names.ko, fandomColor: second.fandomColor } }),
  };
  const posters = posterRecipes(key, article).map((recipe, index): PlannedPicture => {
    const poster = `${key}-embed-${index + 1}`;
    return plannedPicture(poster, 'embed', { ...subjectOf(first), recipe, seed: poster });
  });
  return [plannedPicture(key, 'article', art), ...posters];
}

/** By seed, but neither the article's own recipe nor the same one for two posters of an article. */
function posterRecipes(key: string, { recipe, embeds }: Article): RecipeName[] {
  const candidates = EMBED_RECIPES.filter((each) => each !== recipe);
  const start = fnv1a(key);
  return embeds.map((_, index) => candidates[(start + index) % candidates.length] ?? 'chart');
}

function picturesOfStar(star: Star): PlannedPicture[] {
  const { slug, photos } = star;
  const subject = subjectOf(star);
  const hero = `star-${slug}-hero`;
  const chart = `star-${slug}-chart`;
  return [
    plannedPicture(hero, 'hero', {
      ...subject,
      recipe: membersOf(star) > 0 ? 'horizon' : 'portrait',
      seed: hero,
    }),
    plannedPicture(chart, 'chart', { ...subject, recipe: 'chart', seed: chart }),
    ...photos.map(({ aspect, recipe }, index) => {
      const key = `star-${slug}-photo-${index + 1}`;
      return plannedPicture(key, `photo ${aspect}`, { ...subject, recipe, seed: key });
    }),
  ];
}

function plannedPicture(key: string, kind: PictureKind, art: ArtOrder): PlannedPicture {
  return { key, kind, art, fandomColor: art.fandomColor };
}

function subjectOf(star: Star): Pick<ArtOrder, 'name' | 'fandomColor' | 'figures' | 'people'> {
  const members = membersOf(star);
  return {
    name: star.names.ko,
    fandomColor: star.fandomColor,
    ...(members > 0 ? { figures: members } : { people: peopleOf(star) }),
  };
}

function membersOf({ members = [] }: Star): number {
  return members.length;
}

/** Whose silhouettes suit a single person: the pronouns of the English biography tell. */
function peopleOf({ profile }: Star): People {
  const count = (words: RegExp) => profile.biography.en.match(words)?.length ?? 0;
  const [women, men] = [count(/\b(she|hers?)\b/gi), count(/\b(he|his|him)\b/gi)];
  if (women === men) return 'anyone';
  return women > men ? 'women' : 'men';
}
