import { t } from 'elysia';
import { embedPlatforms } from '#content/embed-platforms.ts';
import { languages } from '#content/locales.ts';
import { starCategories } from '#db/schema/stars.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { IdInBody, Input, Pagination, PictureKey, Version } from './model.ts';

/** Shapes of what editors change besides events and stars: embeds, articles. */

export const Done = t.Object({ done: t.Literal(true) });
export const Created = t.Object({ id: integer() });

export const EmbedList = t.Object({
  embeds: t.Array(
    t.Object({
      id: integer(),
      articleId: integer(),
      articleTitle: t.String(),
      platform: oneOf(embedPlatforms),
      embedType: t.String(),
      embedId: t.String(),
      embedUrl: t.String(),
      title: nullable(t.String()),
      isActive: t.Boolean(),
      createdAt: t.String(),
    }),
  ),
  pagination: Pagination,
});
export const EmbedVisibility = t.Object({ isActive: t.Boolean() });
export const EmbedInput = t.Object({
  articleId: IdInBody,
  url: t.String({ maxLength: 2000 }),
  title: t.Optional(nullable(Input)),
});

export const ArticleList = t.Object({
  articles: t.Array(
    t.Object({
      id: integer(),
      title: t.String(),
      outlet: t.String(),
      publishedAt: t.String(),
      withdrawnAt: nullable(t.String()),
      languages: t.Array(oneOf(languages)),
    }),
  ),
  pagination: Pagination,
});

/** An article as its editor sees it: the source and every rewrite. */
export const EditedArticle = t.Object({
  id: integer(),
  version: t.String({ description: 'Another one after every change; `PUT` takes it.' }),
  outlet: t.String(),
  originalUrl: t.String(),
  originalTitle: t.String(),
  originalContent: t.String(),
  model: nullable(t.String()),
  reviewer: nullable(t.Partial(t.Record(oneOf(languages), t.String()))),
  pictureKey: nullable(t.String({ description: 'A photograph in the place of the drawn art.' })),
  drawnKey: nullable(t.String()),
  category: oneOf(starCategories),
  publishedAt: t.String(),
  withdrawnAt: nullable(t.String()),
  stars: t.Array(t.Object({ id: integer(), name: t.String() })),
  rewrites: t.Partial(
    t.Record(oneOf(languages), t.Object({ title: t.String(), summary: t.String(), content: t.String() })),
  ),
});

const Draft = t.Object({
  title: Input,
  /** Up to three sentences. */
  summary: t.Array(Input, { maxItems: 100 }),
  content: Input,
});
export const WrittenDraft = t.Object({ ...Draft.properties, version: t.Optional(Version) });

/** What was corrected, in every language; null: a slip that needs no words. */
const Note = nullable(t.Record(oneOf(languages), Input));
export const Amendment = t.Object({
  rewrites: t.Optional(t.Partial(t.Record(oneOf(languages), Draft))),
  /** Whom it is about, the most important first; left out: as before. */
  starIds: t.Optional(t.Array(IdInBody, { maxItems: 20 })),
  note: t.Optional(Note),
  version: t.Optional(Version),
});
export const ArticlePicture = t.Object({ pictureKey: PictureKey, version: t.Optional(Version) });
export const Review = t.Object({ version: t.Optional(Version) });
export const CorrectionNote = t.Object({ note: t.Optional(Note) });
