import { Elysia, type TSchema, t } from 'elysia';
import type { StarList } from '#db/queries/directory/document.ts';
import { Created, Done } from '../admin/content-model.ts';
import { readAll } from '../errors.ts';
import { Id, IdParams, Page } from '../parameters.ts';
import { allFaults } from '../plugins/all-faults.ts';
import { disableIdleTimeout } from '../plugins/client.ts';
import { IdempotencyHeaders, makeOnce } from '../plugins/idempotency.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { knownFields } from '../plugins/unknown-fields.ts';
import { answers } from '../shapes.ts';
import {
  ChangedStar,
  EditableStar,
  itemChanges,
  itemLists,
  items,
  Merged,
  MergeInto,
  NewStar,
  NewStarAnswer,
  Order,
  Revision,
  RevisionList,
  StarChange,
} from './calls-model.ts';
import { takeCommonsPicture } from './commons-picture.ts';
import { addItem, changeItem, orderItems, readItems, removeItem } from './lists.ts';
import { deleteStar, hideStar, mergeStar } from './merge.ts';
import { listReaders, type StarInput } from './read-document.ts';
import { readRevision, readRevisions, restoreRevision } from './revisions.ts';
import { addStar, changeStar, declineStarOffer, readEditableStar } from './star.ts';
import { refuseFaultyStar, refuseOtherActivity } from './star-rules.ts';
import { TakenPicture, TakePicture } from './wikidata-model.ts';
import { limitLookUps } from './wikidata-routes.ts';

const tags = ['Admin'];
const about = (summary: string) => ({ tags, security: [{ bearer: [] }], summary });
const write = { role: 'editor' as const, beforeHandle: rateLimitWrites };
const done = { done: true as const };

const ItemParams = t.Object({ id: Id, itemId: Id });
const RevisionParams = t.Object({ id: Id, number: Id });

/** What the handlers of lists need of a call. */
interface StarCall {
  params: { id: number };
  visitor: { id: number };
}
interface ItemCall {
  params: { id: number; itemId: number };
  visitor: { id: number };
}

/** The rules of a star and of an entry of its lists. */
const readStar = (isNew: boolean) => (body: Record<string, unknown>) =>
  readAll({
    star: () => refuseFaultyStar(body as StarInput, isNew),
    activity: () => refuseOtherActivity(body as StarInput),
  });
const readItem =
  (list: StarList) =>
  (body: Record<string, unknown>): unknown =>
    (listReaders[list] as (item: unknown, at: string) => object)(body, '');

/** The entries are stored by the shapes that they are answered in. */
const read =
  <List extends StarList>(list: List) =>
  ({ params }: Pick<StarCall, 'params'>) =>
    readItems(params.id, list) as Promise<(typeof itemLists)[List]['static']>;
const add =
  (list: StarList) =>
  ({ params, body, visitor, request }: StarCall & { body: object; request: Request }) =>
    makeOnce(request, visitor.id, body, (keepAnswer) =>
      addItem(params.id, list, body, visitor.id, keepAnswer),
    );
const change =
  (list: StarList) =>
  async ({ params, body, visitor }: ItemCall & { body: object }) => {
    await changeItem(params.id, list, params.itemId, body, visitor.id);
    return done;
  };
const remove =
  (list: StarList) =>
  async ({ params, visitor }: ItemCall) => {
    await removeItem(params.id, list, params.itemId, visitor.id);
    return done;
  };
const order =
  (list: StarList) =>
  async ({ params, body, visitor }: StarCall & { body: { ids: number[] } }) => {
    await orderItems(params.id, list, body.ids, visitor.id);
    return done;
  };

const reading = <Answer extends TSchema>(answer: Answer, summary: string) => ({
  role: 'editor' as const,
  params: IdParams,
  response: answers(answer, 401, 403, 404),
  detail: about(summary),
});
const adding = <List extends StarList>(list: List, summary: string) => ({
  ...write,
  params: IdParams,
  headers: IdempotencyHeaders,
  knownFields: [items[list], itemLists[list].properties.items.items],
  allFaults: { shape: items[list], rules: readItem(list) },
  body: items[list],
  response: answers(Created, 400, 401, 403, 404, 409, 429),
  detail: about(summary),
});
const changing = <List extends StarList>(list: List, summary: string) => ({
  ...write,
  params: ItemParams,
  knownFields: [itemChanges[list], itemLists[list].properties.items.items],
  body: itemChanges[list],
  response: answers(Done, 400, 401, 403, 404, 409, 429),
  detail: about(summary),
});
const removing = (summary: string) => ({
  ...write,
  params: ItemParams,
  response: answers(Done, 401, 403, 404, 409, 429),
  detail: about(summary),
});
const ordering = (summary: string) => ({
  ...write,
  params: IdParams,
  knownFields: [Order],
  body: Order,
  response: answers(Done, 400, 401, 403, 404, 409, 429),
  detail: about(summary),
});
const acting = (summary: string) => ({
  ...write,
  params: IdParams,
  response: answers(Done, 401, 403, 404, 409, 429),
  detail: about(summary),
});

/** The directory as editors change it: a star, its lists entry by entry, its history; hiding, merging, deleting. */
export const directoryRoutes = new Elysia({ name: 'directory', prefix: '/admin/stars' })
  .use(session)
  .use(knownFields)
  .use(allFaults)
  .post(
    '',
    ({ body, visitor, request }) =>
      makeOnce(request, visitor.id, body, (keepAnswer) => addStar(body, visitor.id, keepAnswer)),
    {
      ...write,
      headers: IdempotencyHeaders,
      knownFields: [NewStar, EditableStar],
      allFaults: { shape: NewStar, rules: readStar(true) },
      body: NewStar,
      response: answers(NewStarAnswer, 400, 401, 403, 409, 429),
      detail: about('Add a star; tells which others have its name'),
    },
  )
  .get('/:id', ({ params }) => readEditableStar(params.id), reading(EditableStar, 'A star to be edited'))
  .put(
    '/:id',
    async ({ params, body, visitor }) => ({ ...done, ...(await changeStar(params.id, body, visitor.id)) }),
    {
      ...write,
      params: IdParams,
      knownFields: [StarChange, EditableStar],
      allFaults: { shape: StarChange, rules: readStar(false) },
      body: StarChange,
      response: answers(ChangedStar, 400, 401, 403, 404, 409, 429),
      detail: about('Change what is given of a star; null takes away'),
    },
  )
  .delete(
    '/:id',
    async ({ params, visitor }) => {
      await deleteStar(params.id, visitor.id);
      return done;
    },
    {
      ...write,
      params: IdParams,
      response: answers(Done, 401, 403, 404, 409, 429),
      detail: about('Delete a star that nothing refers to'),
    },
  )
  .delete(
    '/:id/offers/:itemId',
    async ({ params, visitor }) => {
      await declineStarOffer(params.id, params.itemId, visitor.id);
      return done;
    },
    removing('Decline what an import offers for a field'),
  )
  .post(
    '/:id/commons-picture',
    ({ params, body, visitor, request }) => {
      disableIdleTimeout(request);
      return makeOnce(request, visitor.id, body, () => takeCommonsPicture(params.id, body.file, visitor.id));
    },
    {
      role: 'editor',
      beforeHandle: [rateLimitWrites, limitLookUps],
      params: IdParams,
      headers: IdempotencyHeaders,
      knownFields: [TakePicture],
      body: TakePicture,
      response: answers(TakenPicture, 400, 401, 403, 404, 409, 413, 429),
      detail: about('Take a picture of Wikimedia Commons under a free licence'),
    },
  )
  .get('/:id/members', read('members'), reading(itemLists.members, 'Members of a group in their order'))
  .post('/:id/members', add('members'), adding('members', 'Add a member'))
  .put('/:id/members/order', order('members'), ordering('Put the members into another order'))
  .put('/:id/members/:itemId', change('members'), changing('members', 'Change a member'))
  .delete('/:id/members/:itemId', remove('members'), removing('Take a member out'))
  .get('/:id/photos', read('photos'), reading(itemLists.photos, 'Photos of a star in their order'))
  .post('/:id/photos', add('photos'), adding('photos', 'Add a photo'))
  .put('/:id/photos/order', order('photos'), ordering('Put the photos into another order'))
  .put('/:id/photos/:itemId', change('photos'), changing('photos', 'Change a photo'))
  .delete('/:id/photos/:itemId', remove('photos'), removing('Take a photo out'))
  .get('/:id/timeline', read('timeline'), reading(itemLists.timeline, 'Timeline of a star, newest first'))
  .post('/:id/timeline', add('timeline'), adding('timeline', 'Add to the timeline'))
  .put('/:id/timeline/:itemId', change('timeline'), changing('timeline', 'Change the timeline'))
  .delete('/:id/timeline/:itemId', remove('timeline'), removing('Take out of the timeline'))
  .get(
    '/:id/achievements',
    read('achievements'),
    reading(itemLists.achievements, 'Awards of a star, newest first'),
  )
  .post('/:id/achievements', add('achievements'), adding('achievements', 'Add an award'))
  .put('/:id/achievements/:itemId', change('achievements'), changing('achievements', 'Change an award'))
  .delete('/:id/achievements/:itemId', remove('achievements'), removing('Take an award out'))
  .get('/:id/social-links', read('socialLinks'), reading(itemLists.socialLinks, 'Accounts of a star'))
  .post('/:id/social-links', add('socialLinks'), adding('socialLinks', 'Add an account'))
  .put('/:id/social-links/:itemId', change('socialLinks'), changing('socialLinks', 'Change an account'))
  .delete('/:id/social-links/:itemId', remove('socialLinks'), removing('Take an account out'))
  .get('/:id/revisions', ({ params, query }) => readRevisions(params.id, query.page ?? 1), {
    role: 'editor',
    params: IdParams,
    query: t.Object({ page: t.Optional(Page) }),
    response: answers(RevisionList, 400, 401, 403, 404),
    detail: about('Who changed what of a star and when, newest first'),
  })
  .get('/:id/revisions/:number', ({ params }) => readRevision(params.id, params.number), {
    role: 'editor',
    params: RevisionParams,
    response: answers(Revision, 401, 403, 404),
    detail: about('A star as it was after a change'),
  })
  .post(
    '/:id/revisions/:number/restore',
    async ({ params, visitor }) => {
      await restoreRevision(params.id, params.number, visitor.id);
      return done;
    },
    {
      ...write,
      params: RevisionParams,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: about('Make a star what it was then'),
    },
  )
  .post(
    '/:id/hide',
    async ({ params, visitor }) => {
      await hideStar(params.id, true, visitor.id);
      return done;
    },
    acting('Hide a star from readers'),
  )
  .delete(
    '/:id/hide',
    async ({ params, visitor }) => {
      await hideStar(params.id, false, visitor.id);
      return done;
    },
    acting('Show a hidden star again'),
  )
  .post(
    '/:id/merge',
    async ({ params, body, visitor }) => {
      await mergeStar(params.id, body.into, visitor.id);
      return { ...done, into: body.into };
    },
    {
      ...write,
      params: IdParams,
      knownFields: [MergeInto],
      body: MergeInto,
      response: answers(Merged, 400, 401, 403, 404, 409, 429),
      detail: about('Merge a star that is there twice into the other'),
    },
  );
