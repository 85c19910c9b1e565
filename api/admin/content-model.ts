import { t } from 'elysia';
import { embedPlatforms } from '#content/embed-platforms.ts';
import { languages } from '#content/locales.ts';
import { starCategories } from '#db/schema/stars.ts';
import { integer, nullable, oneOf } from '../shapes.ts';
import { IdInBody, Input, Pagination, Version } from './model.ts';

/** Shapes of what editors change besides events: embeds, articles, stars. */

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

const Draft = t.Object({
  title: Input,
  /** Up to three sentences. */
  summary: t.Array(Input, { maxItems: 100 }),
  content: Input,
});
export const WrittenDraft = Draft;

/** What was corrected, in every language; null: a slip that needs no words. */
const Note = nullable(t.Record(oneOf(languages), Input));
export const Amendment = t.Object({
  rewrites: t.Optional(t.Partial(t.Record(oneOf(languages), Draft))),
  note: t.Optional(Note),
  version: t.Optional(Version),
});
export const CorrectionNote = t.Object({ note: t.Optional(Note) });

const StarWordsInput = t.Object({
  name: Input,
  agency: t.Optional(nullable(Input)),
  realName: t.Optional(nullable(Input)),
  nationality: t.Optional(nullable(Input)),
  fandomName: t.Optional(nullable(Input)),
  biography: t.Optional(nullable(Input)),
});

/** A star as a whole; languages left out stay as they are. */
export const StarEdit = t.Object({
  category: oneOf(starCategories),
  fandomColor: t.String({ pattern: '^#[0-9A-Fa-f]{6}$', error: 'Must be a colour such as #00B3A4.' }),
  debutDate: t.Optional(nullable(t.String({ maxLength: 40 }))),
  birthDate: t.Optional(nullable(t.String({ maxLength: 40 }))),
  aliases: t.Optional(t.Array(Input, { maxItems: 50 })),
  words: t.Partial(t.Record(oneOf(languages), StarWordsInput)),
});
export type StarEdit = typeof StarEdit.static;

export const StarChange = t.Composite([StarEdit, t.Object({ version: t.Optional(Version) })]);
export type StarChange = typeof StarChange.static;
