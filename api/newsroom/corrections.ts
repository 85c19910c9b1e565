import { type Lang, languages, type Translated } from '#content/locales.ts';
import { normalized } from '#content/normalize.ts';
import { findArticleForEditors } from '#db/queries/admin/articles.ts';
import {
  type Correction,
  correctArticle,
  reviewArticle,
  writeArticlePhoto,
} from '#db/queries/newsroom/corrections.ts';
import { hasUnsafeCharacters } from '../accounts/names.ts';
import { renderMarkdown } from '../articles/markdown.ts';
import { BadInput, ChangedSince, Conflict, NotFound } from '../errors.ts';
import { invalidate } from '../invalidation.ts';
import { unavailablePicture } from '../media/unavailable-picture.ts';
import { tagsOfEvents } from '../tags.ts';
import { checkDraft, type Draft, readStarIds } from './desk.ts';
import { scheduleSweep } from './jobs.ts';
import { tagsOf } from './publish.ts';

/**
 * Corrects an article: new words in some languages, other stars, a note in all languages. Every language's page is marked: a correction
 * is public, also one of whom it is about (decision N2).
 * @param note what was wrong, in every language; null for a slip that changes nothing
 * @param version which one the editor had read; without one, whatever is there is overwritten
 * @throws BadInput, NotFound, Conflict when it is withdrawn, ChangedSince
 */
export async function amendArticle(
  articleId: number,
  rewrites: Partial<Record<Lang, Draft>>,
  note: Translated | null,
  editorId: number,
  { version, starIds }: { version?: string | undefined; starIds?: readonly number[] | undefined } = {},
): Promise<void> {
  const amended = languages.flatMap((language) => {
    const draft = rewrites[language];
    if (!draft) return [];
    const { title, summary, content } = checkDraft(draft, `rewrites.${language}.`);
    return [{ language, title, summary: summary.join('\n'), content, contentHtml: renderMarkdown(content) }];
  });
  await correct(
    articleId,
    { kind: 'amended', note, editorId, version },
    { rewrites: amended, starIds: starIds && readStarIds(starIds) },
  );
}

/** Takes an article off the site in every language. @throws BadInput, NotFound, Conflict when it is withdrawn already */
export function withdrawArticle(articleId: number, note: Translated | null, editorId: number): Promise<void> {
  return correct(articleId, { kind: 'withdrawn', note, editorId });
}

/** Brings a withdrawn article back. @throws BadInput, NotFound, Conflict when it is not withdrawn */
export async function restoreArticle(
  articleId: number,
  note: Translated | null,
  editorId: number,
): Promise<void> {
  await correct(articleId, { kind: 'restored', note, editorId });
  // Its events may still be to be read.
  await scheduleSweep(0);
}

/**
 * Puts the editor's name on an article as the person who read it after the machine (decision P4).
 * @param version which one the editor had read; without one, whatever is there is signed
 * @throws NotFound, Conflict when it is withdrawn, ChangedSince
 */
export async function signReview(articleId: number, editorId: number, version?: string): Promise<void> {
  const outcome = await reviewArticle(articleId, { editorId, version });
  if (outcome === 'missing') throw new NotFound('Article');
  if (outcome === 'state') throw new Conflict('decided', 'The article is withdrawn.');
  if (outcome === 'changed') throw new ChangedSince(await findArticleForEditors(articleId));
  await invalidate(tagsOf(articleId, outcome.starIds));
}

/** Shows a picture of the library with an article; null: the drawn art. @throws BadInput, NotFound, ChangedSince */
export async function chooseArticlePicture(
  articleId: number,
  { pictureKey, version }: { pictureKey: string | null; version?: string | undefined },
  editorId: number,
): Promise<void> {
  const outcome = await writeArticlePhoto(articleId, pictureKey, { editorId, version });
  if (outcome === 'missing') throw new NotFound('Article');
  if (outcome === 'changed') throw new ChangedSince();
  if ('unavailable' in outcome) throw unavailablePicture('pictureKey', outcome.unavailable);
  await invalidate([...tagsOf(articleId, outcome.starIds), ...tagsOfEvents(outcome.eventIds)]);
}

async function correct(
  articleId: number,
  { note, ...correction }: Correction,
  amended: Parameters<typeof correctArticle>[2] = {},
): Promise<void> {
  const outcome = await correctArticle(articleId, { ...correction, note: note && checkNote(note) }, amended);
  if (outcome === 'missing') throw new NotFound('Article');
  if (outcome === 'state')
    throw new Conflict('decided', 'The article is in that state already, or withdrawn.');
  if (outcome === 'changed') throw new ChangedSince(await findArticleForEditors(articleId));
  if (outcome === 'unchanged')
    throw new BadInput('rewrites', 'Change at least one language or say something.', 'unchanged');
  if (outcome === 'star') throw new BadInput('starIds', 'There is no such star.', 'unknown');
  const { starIds, eventIds } = outcome;
  await invalidate([...tagsOf(articleId, starIds), ...tagsOfEvents(eventIds)]);
}

const maxNoteLength = 500;

function checkNote(note: Translated): Translated {
  const checked = { ...note };
  for (const language of languages) {
    const text = normalized(note[language]).replace(/\s+/g, ' ').trim();
    const field = `note.${language}`;
    if (text === '') throw new BadInput(field, 'A note is said in every language.', 'required');
    if (text.length > maxNoteLength)
      throw new BadInput(field, 'A note has 1 to 500 characters.', 'long', maxNoteLength);
    if (hasUnsafeCharacters(text))
      throw new BadInput(field, 'Has characters that cannot be shown.', 'characters');
    checked[language] = text;
  }
  return checked;
}
