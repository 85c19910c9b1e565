import { type ApiAnswer, callFor } from '../../lib/accounts/forms.ts';

type Form = ReadonlyMap<string, string>;
const text = (form: Form, name: string) => form.get(name)?.trim() ?? '';
const id = (form: Form) => encodeURIComponent(text(form, 'id'));

/** A call about an article that is not there, at the field that named it. */
const atArticle = (answer: ApiAnswer, field: string): ApiAnswer =>
  answer.status === 404 ? { ...answer, code: 'no_article', field } : answer;

/** Every form of the dashboard by its name, and the call that it is. */
const forms: Record<string, (request: Request, form: Form) => Promise<ApiAnswer>> = {
  replay: (request, form) => callFor(request, 'POST', `/api/admin/failures/${id(form)}/replay`),
  embedShown: (request, form) =>
    callFor(request, 'PUT', `/api/admin/embeds/${id(form)}`, { isActive: text(form, 'isActive') === 'true' }),
  embedAdd: async (request, form) =>
    atArticle(
      await callFor(request, 'POST', '/api/admin/embeds', {
        articleId: Number(text(form, 'articleId')),
        url: text(form, 'url'),
        ...(text(form, 'title') ? { title: text(form, 'title') } : {}),
      }),
      'articleId',
    ),
  videoSearch: async (request, form) => {
    const path = `/api/articles/${encodeURIComponent(text(form, 'articleId'))}/search-youtube`;
    return atArticle(await callFor(request, 'POST', path), 'videoArticle');
  },
  report: (request, form) =>
    callFor(request, 'POST', `/api/community/reports/${id(form)}/decide`, {
      decision: text(form, 'decision'),
      ...(text(form, 'notes') ? { notes: text(form, 'notes') } : {}),
    }),
  sourceAdd: (request, form) => callFor(request, 'POST', '/api/admin/sources', sourceOf(form)),
  sourceTest: (request, form) =>
    callFor(request, 'POST', '/api/admin/sources/test', { feedUrl: text(form, 'feedUrl') }),
  sourceState: (request, form) =>
    callFor(request, 'PUT', `/api/admin/sources/${id(form)}`, { state: text(form, 'state') }),
  sourceFetch: (request, form) => callFor(request, 'POST', `/api/admin/sources/${id(form)}/fetch`),
};

function sourceOf(form: Form): object {
  return {
    feedUrl: text(form, 'feedUrl'),
    outlet: text(form, 'outlet'),
    sourceLanguage: text(form, 'sourceLanguage') || 'ko',
    fullText: form.has('fullText'),
    intervalMinutes: Number(text(form, 'intervalMinutes') || 15),
  };
}

/** Forms whose answer is shown instead of "saved". */
export const answered: ReadonlySet<string> = new Set(['sourceTest', 'videoSearch']);

/** Hands a form of the dashboard to its call; undefined: there is no such form. */
export function postDashboard(request: Request, form: Form): Promise<ApiAnswer | undefined> {
  const name = form.get('do') ?? form.get('form') ?? '';
  return Object.hasOwn(forms, name)
    ? (forms[name]?.(request, form) ?? Promise.resolve(undefined))
    : Promise.resolve(undefined);
}
