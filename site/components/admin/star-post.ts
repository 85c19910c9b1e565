import type { EditableStar } from '#api/directory/calls-model.ts';
import { readItems } from '#api/directory/lists.ts';
import { readId, readSearch } from '#api/input.ts';
import { readStarSearch } from '#api/stars/search.ts';
import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { findStarsByName, findStarToChoose, type StarChoice } from '#db/queries/directory/choose.ts';
import { type StarList, starLists } from '#db/queries/directory/document.ts';
import type { StarRow } from '#db/queries/stars/badge.ts';
import type { T } from '../../i18n/words.ts';
import { callApiFor, callUntyped, type FormBody } from '../../lib/accounts/forms.ts';
import type { FormRefusal } from '../../lib/admin/forms.ts';
import type { ApiPath, ApiResponse } from '../../lib/http/api-call.ts';
import { paths } from '../../lib/routes/paths.ts';
import type { StarSection } from '../../routes.ts';
import { takeOffer } from './look-up.ts';
import { entryForms } from './star-forms.ts';
import { listOf } from './star-sections.ts';
import { entryBody, profileBody, sourceOf } from './star-values.ts';
import { referenceList } from './star-words.ts';

type Form = ReadonlyMap<string, string>;

interface Context {
  request: Request;
  t: T;
  lang: Lang;
  section: StarSection;
  entry: string | undefined;
  /** Of the look-up in Wikidata, from which values are taken. */
  wikidata: string | undefined;
  /** Undefined: a new one. */
  star: EditableStar | undefined;
}

/** What a form came to, and the page to go on to when it worked. */
interface Posted {
  result: ApiResponse | FormRefusal | undefined;
  next: string | ((answer: unknown) => string);
}

/** Stars that a name may mean, shown to choose from. */
const offeredStars = 8;

/** Hands a form of the editor to its call; undefined: it has no such form. */
export async function postStar(context: Context, form: Form): Promise<Posted | undefined> {
  const { star } = context;
  if (!star) return postNew(context, form);
  const name = form.get('form') ?? '';
  const known = { ...context, star };
  if (form.has('take')) return postTaken(known, form.get('take') ?? '');
  return Object.hasOwn(forms, name) ? forms[name as keyof typeof forms](known, form) : undefined;
}

type Known = Context & { star: EditableStar };

const here = ({ star, lang, section }: Known, more: { entry?: string; anchor?: string } = {}): string =>
  `${paths.adminStar(star.id, { lang, section, entry: more.entry, saved: '1' })}${more.anchor ? `#${more.anchor}` : ''}`;

async function postNew({ request, t, lang }: Context, form: Form): Promise<Posted> {
  const parent = await chosenStar(t, lang, form, 'parent');
  if ('refused' in parent) return { result: parent, next: '' };
  return {
    result: await callApiFor(request, 'post', '/api/admin/stars', {
      body: profileBody(form, undefined, parent.star?.slug ?? null, site.brandColor),
      headers: onceHeaders(form),
    }),
    next: (answer) => paths.adminStar(idOf(answer) ?? 'new', { lang, saved: '1' }),
  };
}

/** A value of Wikidata. */
async function postTaken(context: Known, offer: string): Promise<Posted> {
  const { request, star, lang, wikidata } = context;
  return {
    result: await takeOffer(request, star.id, offer),
    next: `${paths.adminStar(star.id, { lang, wikidata, saved: '1' })}#wikidata`,
  };
}

const forms = {
  profile: async (context, form) => {
    const { request, t, lang, star } = context;
    const parent = await chosenStar(t, lang, form, 'parent');
    if ('refused' in parent) return { result: parent, next: '' };
    return {
      result: await callApiFor(request, 'put', '/api/admin/stars/:id', {
        params: { id: star.id },
        body: {
          ...profileBody(form, star, parent.star?.slug ?? null, site.brandColor),
          version: form.get('version') ?? '',
        },
      }),
      next: here(context),
    };
  },
  picture: async (context, form) => {
    const { request, star } = context;
    const field = form.get('do') ?? '';
    const body = {
      heroSet: { hero: { key: form.get('picture') ?? '' } },
      heroRemove: { hero: null },
      avatarSet: { avatar: { key: form.get('picture') ?? '' } },
      avatarRemove: { avatar: null },
    }[field];
    const params = { id: star.id };
    if (body && field.endsWith('Set') && !form.get('picture'))
      return { result: { refused: { text: context.t('admin:refused_required'), fields: [] } }, next: '' };
    return {
      result: body && atFields(await callApiFor(request, 'put', '/api/admin/stars/:id', { params, body })),
      next: here(context),
    };
  },
  entry: async (context, form) => {
    const { request, t, lang, star, section, entry } = context;
    const list = listOf(section);
    if (!list || entry === undefined) return undefined;
    const member = list === 'members' ? await chosenStar(t, lang, form, 'star') : { star: undefined };
    if ('refused' in member) return { result: member, next: '' };
    const body = entryBody(list, form, member.star?.id ?? null);
    const id = readId(entry);
    if (id === undefined) {
      const result = atFields(
        await callList(request, 'post', list, '', { id: star.id }, body, onceHeaders(form)),
      );
      return { result, next: (answer) => here(context, { anchor: `entry-${idOf(answer)}` }) };
    }
    const params = { id: star.id, itemId: id };
    const change = { ...body, version: form.get('version') ?? '' };
    const result = atFields(await callList(request, 'put', list, '/:itemId', params, change));
    return { result, next: here(context, { entry, anchor: `entry-${id}` }) };
  },
  remove: async (context, form) => {
    const { request, star, section } = context;
    const list = listOf(section);
    const itemId = readId(form.get('id'));
    if (!list || itemId === undefined) return undefined;
    return {
      result: await callList(request, 'delete', list, '/:itemId', { id: star.id, itemId }),
      next: here(context),
    };
  },
  order: async (context, form) => {
    const { request, star, section } = context;
    const list = listOf(section);
    if (!list || !entryForms[list].isOrdered) return undefined;
    const { items } = await readItems(star.id, list);
    const ids = (form.get('ids') ?? '').split(',').flatMap((each) => readId(each) ?? []);
    const [id, way] = (form.get('move') ?? '').split(' ');
    const moved =
      ids.length > 0
        ? ids
        : movedIds(
            items.map((item) => item.id),
            Number(id),
            way === 'up' ? -1 : 1,
          );
    const place = moved.indexOf(Number(id));
    // The button that was pressed has the focus again, or the other one at the end of the way.
    const button = place === 0 ? 'down' : place === moved.length - 1 ? 'up' : way;
    return {
      result: await callList(request, 'put', list, '/order', { id: star.id }, { ids: moved }),
      next: here(context, place < 0 ? {} : { anchor: `${button}-${id}` }),
    };
  },
  source: async (context, form) => {
    const { request, star, entry } = context;
    if (!entry) return undefined;
    const body = { sources: { [entry]: sourceOf(form) }, version: form.get('version') ?? '' };
    const params = { id: star.id };
    const result = atFields(await callApiFor(request, 'put', '/api/admin/stars/:id', { params, body }));
    return { result, next: here(context, { entry, anchor: `entry-${entry}` }) };
  },
  offer: async (context, form) => {
    const { request, star } = context;
    const offer = star.offers.find(({ id }) => id === readId(form.get('id')));
    if (!offer) return undefined;
    if (form.has('decline')) {
      const params = { id: star.id, itemId: offer.id };
      const result = await callApiFor(request, 'delete', '/api/admin/stars/:id/offers/:itemId', { params });
      return { result, next: here(context) };
    }
    const list = starLists.find((each) => each === offer.field);
    if (list) {
      const item = Array.isArray(offer.offered) ? offer.offered[Number(form.get('place'))] : undefined;
      if (typeof item !== 'object' || item === null) return undefined;
      const result = atFields(await callList(request, 'post', list, '', { id: star.id }, { ...item }));
      return { result, next: here(context) };
    }
    const { field, offered, source } = offer;
    const [, language = '', word = ''] = field.match(/^words\.(\w+)\.(\w+)$/) ?? [];
    const change = word
      ? { words: { [language]: { name: '', ...Object(star.words)[language], [word]: offered } } }
      : { [field]: offered };
    const body = { ...change, sources: { [field]: source }, version: star.version };
    return {
      result: await callApiFor(request, 'put', '/api/admin/stars/:id', {
        params: { id: star.id },
        body: body as FormBody<'put', '/api/admin/stars/:id'>,
      }),
      next: here(context),
    };
  },
  restore: async (context, form) => {
    const { request, star } = context;
    const params = { id: star.id, number: form.get('number') ?? '' };
    return {
      result: await callApiFor(request, 'post', '/api/admin/stars/:id/revisions/:number/restore', { params }),
      next: here(context),
    };
  },
  hide: async (context) => {
    const { request, star } = context;
    const params = { id: star.id };
    return {
      result: await callApiFor(request, 'post', '/api/admin/stars/:id/hide', { params }),
      next: here(context),
    };
  },
  show: async (context) => {
    const { request, star } = context;
    const params = { id: star.id };
    return {
      result: await callApiFor(request, 'delete', '/api/admin/stars/:id/hide', { params }),
      next: here(context),
    };
  },
  merge: async ({ request, star, lang }, form) => {
    const into = readId(form.get('into')) ?? 0;
    return {
      result: await callApiFor(request, 'post', '/api/admin/stars/:id/merge', {
        params: { id: star.id },
        body: { into },
      }),
      next: paths.adminStar(into, { lang, saved: '1' }),
    };
  },
  delete: async ({ request, star, t, lang }) => {
    const result = await callApiFor(request, 'delete', '/api/admin/stars/:id', { params: { id: star.id } });
    const next = `${paths.admin({ tab: 'tools', lang, tool: 'stars' })}&saved=1`;
    if (result.error?.code !== 'in_use') return { result, next };
    const what = referenceList(t, lang, Object(result.error.current));
    return { result: { refused: { text: t('admin:deleteInUse', { what }), fields: [] } }, next };
  },
} satisfies Record<string, (context: Known, form: Form) => Promise<Posted | undefined>>;

const idOf = (answer: unknown): number | undefined => {
  const id: unknown = Reflect.get(Object(answer), 'id');
  return typeof id === 'number' ? id : undefined;
};

/** What is made twice by a double press has the same key. */
function onceHeaders(form: Form): Record<string, string> {
  const key = form.get('once');
  return key ? { 'idempotency-key': key } : {};
}

const listPaths = {
  members: '/api/admin/stars/:id/members',
  photos: '/api/admin/stars/:id/photos',
  timeline: '/api/admin/stars/:id/timeline',
  achievements: '/api/admin/stars/:id/achievements',
  socialLinks: '/api/admin/stars/:id/social-links',
} as const satisfies Record<StarList, ApiPath<'post'>>;

/** A call about an entry of a list: its fields are those of the list's form, which the call checks. */
function callList(
  request: Request,
  method: 'post' | 'put' | 'delete',
  list: StarList,
  rest: '' | '/:itemId' | '/order',
  params: Record<string, number>,
  body?: object,
  headers?: Record<string, string>,
): Promise<ApiResponse> {
  return callUntyped(request, method, `${listPaths[list]}${rest}`, {
    params,
    ...(body && { body }),
    ...(headers && { headers }),
  });
}

function movedIds(ids: readonly number[], id: number, by: number): number[] {
  const moved = ids.filter((each) => each !== id);
  const place = ids.indexOf(id);
  if (place < 0) return [...ids];
  moved.splice(Math.max(0, place + by), 0, id);
  return moved;
}

/** What a call refused, at the fields as the form names them. */
function atFields<Result extends ApiResponse>(result: Result): Result {
  const { error } = result;
  if (!error) return result;
  const faults = error.faults?.map((fault) => ({ ...fault, field: formField(fault.field) }));
  const field = error.field === undefined ? undefined : formField(error.field);
  return { ...result, error: { ...error, ...(field !== undefined && { field }), ...(faults && { faults }) } };
}

function formField(field: string): string {
  const source = field.match(/(?:^|\.)(?:source|sources\..+)\.(name|url|readOn)$/)?.[1];
  const named = source
    ? { name: 'sourceName', url: 'sourceUrl', readOn: 'sourceReadOn' }[source]
    : {
        'picture.key': 'picture',
        starId: 'star',
      }[field];
  return named ?? field;
}

/**
 * The star that a field means by its number, or by its name where only one is called just so.
 * @returns a refusal with those that are meant, to choose from
 */
export async function chosenStar(
  t: T,
  lang: Lang,
  form: Form,
  field: string,
): Promise<{ star: StarRow | undefined } | (FormRefusal & { candidates: readonly StarChoice[] })> {
  const text = readSearch(form.get(field)) ?? '';
  if (text === '') return { star: undefined };
  const id = readId(text.match(/^\d+(?=\s|$)/)?.[0]);
  const numbered = id === undefined ? undefined : await findStarToChoose(id, lang);
  if (numbered) return { star: numbered };
  const found = await findStarsByName(text, readStarSearch(text), lang, offeredStars);
  const exact = found.filter(({ isExact }) => isExact);
  const [only] = exact;
  if (only && exact.length === 1) return { star: only };
  // A part of a name is not taken for the whole one: it may still be being typed.
  const candidates = exact.length > 0 ? exact : found;
  const sentence = candidates.length > 0 ? t('admin:failed_choose') : t('admin:failed_nobody');
  return { refused: { text: sentence, fields: [field], candidates }, candidates };
}
