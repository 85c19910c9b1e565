import { Elysia } from 'elysia';
import { disableIdleTimeout } from '../plugins/client.ts';
import { rateLimit } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { readItem, searchItems } from './wikidata.ts';
import { Item, ItemMatches, ItemParams, ItemSearch, LookUpQuery } from './wikidata-model.ts';

const tags = ['Admin'];
const security = [{ bearer: [] }];

/** For whatever asks Wikidata or Commons. */
export const limitLookUps = rateLimit({ name: 'wikidata', account: 60, seconds: 60 });
const lookUp = { role: 'editor' as const, beforeHandle: limitLookUps };

/** Editors look stars up in Wikidata. Nothing is written: a value is taken by a change of the star. */
export const wikidataRoutes = new Elysia({ name: 'wikidata', prefix: '/admin/wikidata' })
  .use(session)
  .get(
    '',
    ({ query, visitor, request }) => {
      disableIdleTimeout(request);
      return searchItems(query.q, query.language ?? visitor.language);
    },
    {
      ...lookUp,
      query: ItemSearch,
      response: answers(ItemMatches, 400, 401, 403, 429),
      detail: { tags, security, summary: 'Items of Wikidata by name, number or address' },
    },
  )
  .get(
    '/:item',
    ({ params, query, visitor, request }) => {
      disableIdleTimeout(request);
      return readItem(params.item, query.language ?? visitor.language);
    },
    {
      ...lookUp,
      params: ItemParams,
      query: LookUpQuery,
      response: answers(Item, 400, 401, 403, 404, 429),
      detail: { tags, security, summary: 'What Wikidata says of an item, as offers for a star' },
    },
  );
