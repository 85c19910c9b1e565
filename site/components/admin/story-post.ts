import { readId } from '#api/input.ts';
import { isLang, type Lang, languages } from '#content/locales.ts';
import type { StoryDetail } from '#db/queries/newsroom/newsroom.ts';
import type { T } from '../../i18n/words.ts';
import { callApiFor } from '../../lib/accounts/forms.ts';
import type { FormRefusal } from '../../lib/admin/forms.ts';
import type { ApiResponse } from '../../lib/http/api-call.ts';
import { type FormFields, isOutdated } from './differences.ts';
import { draftOf } from './draft.ts';
import { type StarNames, typedStars } from './event-post.ts';

const wordFields = ['title', 'summary', 'content'] as const;
const fieldsIn = (language: Lang) => wordFields.map((name) => `${name}.${language}`);

/** A story's one form, as it is saved: its stars, its words in every language, and notes, which go with a decision. */
export function storyFields({ stars, drafts }: Pick<StoryDetail, 'stars' | 'drafts'>): FormFields {
  return new Map([
    ['starIds', stars.map(({ id, name }) => `${id} ${name}`).join(', ')],
    ...languages.flatMap((language) => {
      const draft = drafts.find((each) => each.language === language);
      return wordFields.map((name) => [`${name}.${language}`, draft?.[name] ?? ''] as const);
    }),
    ['notes', ''],
  ]);
}

/** The fields that the button saves which was pressed; what was typed in the others stays in the form. */
export function pressedPart(form: FormFields): string[] {
  const language = form.get('language');
  if (isLang(language)) return fieldsIn(language);
  return form.get('do') === 'stars' ? ['starIds'] : [];
}

/**
 * Hands the form of a story to the call of the button that was pressed. Whoever would replace what somebody else has saved since is
 * told of it first.
 * @returns undefined when no button of ours was pressed
 */
export async function postStory(
  { request, t, names }: { request: Request; t: T; names: StarNames },
  story: Pick<StoryDetail, 'id' | 'stars' | 'drafts'>,
  form: FormFields,
): Promise<ApiResponse | FormRefusal | undefined> {
  const refused = (text: string, fields: string[] = []) => ({ refused: { text, fields } });
  if (isOutdated(form, storyFields(story), pressedPart(form)))
    return { ...refused(t('admin:failed_conflict')), isOutdated: true };
  const params = { id: story.id };
  const language = form.get('language');
  if (isLang(language))
    return callApiFor(request, 'put', '/api/admin/stories/:id/rewrites/:language', {
      params: { ...params, language },
      // What was compared above is what is written over, whoever presses at the same moment.
      body: {
        ...draftOf(form, language),
        version: story.drafts.find((each) => each.language === language)?.version ?? '',
      },
    });
  const [, starId, name] = form.get('open')?.match(/^(\d*) (.+)$/s) ?? [];
  if (name !== undefined)
    return callApiFor(request, 'post', '/api/admin/stories/:id/names', {
      params,
      body: { name, starId: readId(starId) ?? null },
    });
  switch (form.get('do')) {
    case 'stars': {
      const { ids, unreadable } = typedStars(form.get('starIds') ?? '', names);
      if (unreadable.length > 0)
        return refused(t('admin:failed_stars', { value: unreadable.join(', ') }), ['starIds']);
      return callApiFor(request, 'put', '/api/admin/stories/:id/stars', {
        params,
        body: { starIds: ids },
      });
    }
    case 'dismiss':
      return refused(t('admin:dismissSure', { button: t('admin:dismissNow') }));
    case 'dismissNow':
      return callApiFor(request, 'post', '/api/admin/stories/:id/dismiss', {
        params,
        body: { notes: form.get('notes')?.trim() ? form.get('notes') : undefined },
      });
    case 'retry':
      return callApiFor(request, 'post', '/api/admin/stories/:id/retry', { params });
    case 'none':
      return refused(t('admin:save_unsaved'));
    default:
      return undefined;
  }
}
