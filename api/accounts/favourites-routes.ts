import { Elysia } from 'elysia';
import { limitWrites } from '../plugins/limits.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { changeOwnFavourites, readFavourites } from './favourites.ts';
import { Favourites, FavouritesChange } from './model.ts';

const tags = ['Accounts'];
const security = [{ bearer: [] }];

/** The favourite stars of the account. */
export const favouritesRoutes = new Elysia({ name: 'favourites', prefix: '/auth' })
  .use(session)
  .get('/favourites', async ({ visitor }) => ({ starIds: await readFavourites(visitor) }), {
    role: 'user',
    response: answers(Favourites, 401),
    detail: { tags, summary: 'The favourite stars of the account', security },
  })
  .put('/favourites', async ({ visitor, body }) => ({ starIds: await changeOwnFavourites(visitor, body) }), {
    role: 'user',
    beforeHandle: limitWrites,
    body: FavouritesChange,
    response: answers(Favourites, 400, 401, 403, 429),
    detail: {
      tags,
      summary: 'Add and remove favourite stars; a repeat changes nothing, unknown stars are left out',
      security,
    },
  });
