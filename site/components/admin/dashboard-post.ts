import { translated } from '#content/locales.ts';
import { callApiFor, type FormBody } from '../../lib/accounts/forms.ts';
import type { ApiAnswer, ApiResponse } from '../../lib/http/api-call.ts';

type Form = ReadonlyMap<string, string>;
const text = (form: Form, name: string) => form.get(name)?.trim() ?? '';
const params = (form: Form) => ({ id: text(form, 'id') });

/** A call about an article that is not there, or without its number, at the field that asks for it. */
const withArticleField = <Result extends ApiResponse>(result: Result, form: Form, field: string): Result =>
  result.error && (result.status === 404 || result.error.field === 'articleId')
    ? {
        ...result,
        error: { ...result.error, code: text(form, 'articleId') ? 'no_article' : 'required', field },
      }
    : result;

/** What a call said of a field, at the one of its name that was sent: a page has one per report, and per source. */
const withFieldId = <Result extends ApiResponse>(
  result: Result,
  id: string,
  ...names: readonly string[]
): Result =>
  result.error?.field && names.includes(result.error.field)
    ? { ...result, error: { ...result.error, field: `${result.error.field}-${id}` } }
    : result;

type TestedSource = ApiAnswer<'post', '/api/admin/sources/test'>;

/** A feed that cannot be read is refused at its field. */
function withFeedField(result: ApiResponse<TestedSource>): ApiResponse<Extract<TestedSource, { ok: true }>> {
  if (result.error) return result;
  const { answer, ...head } = result;
  if (answer.ok) return { ...head, answer };
  const { code, message } = answer;
  return { ...head, status: 400, error: { error: message, code, field: 'feedUrl' } };
}

/** Every form of the dashboard by its name, and the call that it is. */
const forms = {
  replay: (request, form) =>
    callApiFor(request, 'post', '/api/admin/failures/:id/replay', { params: params(form) }),
  jobsRetry: (request, form) =>
    callApiFor(request, 'post', '/api/admin/queues/:queue/retry', { params: { queue: text(form, 'queue') } }),
  embedShown: (request, form) =>
    callApiFor(request, 'put', '/api/admin/embeds/:id', {
      params: params(form),
      body: { isActive: text(form, 'isActive') === 'true' },
    }),
  embedAdd: async (request, form) =>
    withArticleField(
      await callApiFor(request, 'post', '/api/admin/embeds', {
        body: {
          articleId: Number(text(form, 'articleId')),
          url: text(form, 'url'),
          title: text(form, 'title') || undefined,
        },
      }),
      form,
      'articleId',
    ),
  pictureSave: (request, form) =>
    callApiFor(request, 'put', '/api/admin/pictures/:id', { params: params(form), body: pictureOf(form) }),
  pictureWithdraw: (request, form) =>
    callApiFor(request, 'post', '/api/admin/pictures/:id/withdraw', {
      params: params(form),
      body: { reason: text(form, 'reason') },
    }),
  pictureRestore: (request, form) =>
    callApiFor(request, 'delete', '/api/admin/pictures/:id/withdraw', { params: params(form) }),
  videoSearch: async (request, form) => {
    const params = { id: Number(text(form, 'articleId')) };
    const response = await callApiFor(request, 'post', '/api/articles/:id/search-youtube', { params });
    return withArticleField(response, form, 'articleId-video');
  },
  report: async (request, form) =>
    withFieldId(
      await callApiFor(request, 'post', '/api/community/reports/:id/decide', {
        params: params(form),
        body: { decision: text(form, 'decision'), notes: text(form, 'notes') || undefined },
      }),
      text(form, 'id'),
      'notes',
    ),
  sourceAdd: (request, form) => callApiFor(request, 'post', '/api/admin/sources', { body: sourceOf(form) }),
  sourceTest: async (request, form) => {
    const body = { feedUrl: text(form, 'feedUrl') };
    return withFeedField(await callApiFor(request, 'post', '/api/admin/sources/test', { body }));
  },
  sourceState: (request, form) =>
    callApiFor(request, 'put', '/api/admin/sources/:id', {
      params: params(form),
      body: { state: text(form, 'state') },
    }),
  sourceChange: async (request, form) =>
    withFieldId(
      await callApiFor(request, 'put', '/api/admin/sources/:id', {
        params: params(form),
        body: sourceChangeOf(form),
      }),
      text(form, 'id'),
      'outlet',
      'intervalMinutes',
    ),
  sourceFetch: (request, form) =>
    callApiFor(request, 'post', '/api/admin/sources/:id/fetch', { params: params(form) }),
} satisfies Record<string, (request: Request, form: Form) => Promise<ApiResponse>>;

function pictureOf(form: Form): FormBody<'put', '/api/admin/pictures/:id'> {
  const share = (name: string) => Number(text(form, name)) / 100;
  return {
    version: text(form, 'version'),
    alt: translated((language) => text(form, `alt.${language}`)),
    credit: text(form, 'credit'),
    licence: text(form, 'licence'),
    creditUrl: text(form, 'creditUrl'),
    takenAt: text(form, 'takenAt'),
    focus: form.has('focusAuto') ? null : { x: share('focusX'), y: share('focusY') },
  };
}

function sourceOf(form: Form): FormBody<'post', '/api/admin/sources'> {
  return {
    feedUrl: text(form, 'feedUrl'),
    outlet: text(form, 'outlet'),
    sourceLanguage: text(form, 'sourceLanguage'),
    fullText: form.has('fullText'),
    intervalMinutes: Number(text(form, 'intervalMinutes') || 15),
  };
}

/** What a form changed of what it showed of a source: what another admin changed meanwhile stays. */
function sourceChangeOf(form: Form): FormBody<'put', '/api/admin/sources/:id'> {
  const isChanged = (name: string) => text(form, name) !== text(form, `shown.${name}`);
  return {
    ...(isChanged('outlet') && { outlet: text(form, 'outlet') }),
    ...(isChanged('intervalMinutes') && { intervalMinutes: Number(text(form, 'intervalMinutes')) }),
    ...(isChanged('fullText') && { fullText: form.has('fullText') }),
  };
}

/** Forms whose answer is shown instead of "saved". */
export const formsWithAnswer: ReadonlySet<string> = new Set<FormName>(['sourceTest', 'videoSearch']);

type FormName = keyof typeof forms;
const isForm = (name: string): name is FormName => Object.hasOwn(forms, name);

type DashboardResponse = Awaited<ReturnType<(typeof forms)[FormName]>>;
/** What the API answers to one of these forms. */
export type DashboardAnswer = DashboardResponse['answer'];

/** Hands a form of the dashboard to its call; undefined: there is no such form. */
export async function postDashboard(request: Request, form: Form): Promise<DashboardResponse | undefined> {
  const name = form.get('do') ?? form.get('form') ?? '';
  return isForm(name) ? forms[name](request, form) : undefined;
}
