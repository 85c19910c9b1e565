import { type Lang, languages, type Translated, translated } from '#content/locales.ts';
import type { FormBody } from '../../lib/accounts/forms.ts';

type Form = ReadonlyMap<string, string>;
const text = (form: Form, name: string) => form.get(name)?.trim() ?? '';
const lines = (value: string) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

type Draft = FormBody<'put', '/api/admin/stories/:id/rewrites/:language'>;

/** A rewrite as an editor typed it in one language. */
export function draftOf(form: Form, language: Lang): Draft {
  return {
    title: text(form, `title.${language}`),
    summary: lines(text(form, `summary.${language}`)),
    content: text(form, `content.${language}`),
  };
}

/** What was corrected: in every language, or not at all. Half of it is sent, so that the API says what is missing. */
export function noteOf(form: Form): Translated | null {
  const note = translated((language) => text(form, `note.${language}`));
  return Object.values(note).some(Boolean) ? note : null;
}

type Rewrites = Partial<Record<Lang, { title: string; summary: string; content: string }>>;

/** Only the languages whose words were changed: an untouched one keeps its date. */
export function amendmentsOf(form: Form, previous: Rewrites) {
  return Object.fromEntries(
    languages.flatMap((language) => {
      const draft = draftOf(form, language);
      const previousDraft = previous[language];
      const isSame =
        (previousDraft?.title ?? '') === draft.title &&
        lines(previousDraft?.summary ?? '').join('\n') === draft.summary.join('\n') &&
        (previousDraft?.content ?? '').trim().replace(/\r\n/g, '\n') === draft.content.replace(/\r\n/g, '\n');
      return isSame ? [] : [[language, draft]];
    }),
  );
}
