import { Elysia, t } from 'elysia';
import { storageKey } from '#content/site.ts';
import { rateLimit, rateLimitWrites } from '../plugins/rate-limits.ts';
import { session, sessionCookiesFor } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { deviceCookiesFor } from './known-device.ts';
import { AccountDeletion, Deleted, DeviceParams, Devices, LoggedOut } from './model.ts';
import { deleteAccount, logOutDevice, logOutEverywhere, readDevices, readOwnData } from './own-data.ts';

const tags = ['Accounts'];
const security = [{ bearer: [] }];

/** What a person may see and end of the own account. */
export const ownDataRoutes = new Elysia({ name: 'own-data', prefix: '/auth' })
  .use(session)
  .get('/sessions', async ({ visitor }) => ({ devices: await readDevices(visitor) }), {
    role: 'user',
    response: answers(Devices, 401),
    detail: { tags, summary: 'The devices on which the account is logged in', security },
  })
  .delete(
    '/sessions',
    async ({ visitor, set }) => {
      await logOutEverywhere(visitor);
      set.headers['set-cookie'] = sessionCookiesFor(undefined);
      return { loggedOut: true as const };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      response: answers(LoggedOut, 401, 403, 429),
      detail: { tags, summary: 'Log every device out, this one too', security },
    },
  )
  .delete(
    '/sessions/:id',
    async ({ visitor, params }) => {
      await logOutDevice(visitor, params.id);
      return { loggedOut: true as const };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      params: DeviceParams,
      response: answers(LoggedOut, 401, 403, 404, 429),
      detail: { tags, summary: 'Log one device out', security },
    },
  )
  .get(
    '/export',
    async ({ visitor }) =>
      new Response(await readOwnData(visitor), {
        headers: {
          'content-type': 'application/json',
          'cache-control': 'private, no-store',
          'content-disposition': `attachment; filename="${storageKey}-${visitor.id}.json"`,
        },
      }),
    {
      role: 'user',
      beforeHandle: [rateLimit({ name: 'export', account: 10, seconds: 3600 })],
      response: answers(t.Record(t.String(), t.Unknown()), 401, 429),
      detail: { tags, summary: 'Everything that is stored about the account', security },
    },
  )
  .delete(
    '/account',
    async ({ visitor, body, set }) => {
      await deleteAccount(visitor, body.currentPassword);
      set.headers['set-cookie'] = [...sessionCookiesFor(undefined), ...(await deviceCookiesFor(visitor.id))];
      return { deleted: true as const };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      body: AccountDeletion,
      response: answers(Deleted, 400, 401, 403, 409, 429),
      detail: { tags, summary: 'Delete the account; its messages stay as those of a deleted user', security },
    },
  );
