import { Elysia } from 'elysia';
import { clientAddress } from '../plugins/client.ts';
import { refuseForeignOrigin } from '../plugins/origin.ts';
import { rateLimitAddress, rateLimitFailures, rateLimitWrites } from '../plugins/rate-limits.ts';
import { renewedCookies, session, sessionCookiesFor, tokenOf, visitorOf } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import {
  changeProfile,
  type Device,
  logIn,
  logOut,
  readUser,
  register,
  replaceSession,
  triesKeyOf,
} from './accounts.ts';
import { deviceCookiesFor, findKnownDevice } from './known-device.ts';
import { LoggedOut, Login, ProfileChange, Registration, SessionAnswer, UserAnswer } from './model.ts';
import { refuse, registrationProblems } from './rules.ts';

const tags = ['Accounts'];
const security = [{ bearer: [] }];

/** Logins of strangers behind an address that fail, whichever accounts they are for (quality §Safe 8). */
const logins = { name: 'login', count: 25, seconds: 300 };

const deviceOf = (request: Request): Device => ({
  userAgent: request.headers.get('user-agent'),
  address: clientAddress(request),
});

const cookiesFor = async ({ token, user }: SessionAnswer): Promise<string[]> => [
  ...sessionCookiesFor(token),
  ...(await deviceCookiesFor(user.id)),
];

/** §7 Authentication. */
export const accountRoutes = new Elysia({ name: 'accounts', prefix: '/auth' })
  .use(session)
  .post(
    '/register',
    async ({ body, request, set }) => {
      const answer = await register(body, deviceOf(request));
      await replaceSession(await visitorOf(request).catch(() => undefined), answer);
      set.headers['set-cookie'] = await cookiesFor(answer);
      return answer;
    },
    {
      beforeHandle: [
        refuseForeignOrigin,
        // Before the limit: a form that breaks a rule tells nothing about others and costs little, so it does not count.
        ({ body }: { body: Registration }) => refuse(registrationProblems(body)),
        rateLimitAddress({ name: 'register', count: 20, seconds: 120 }),
      ],
      body: Registration,
      response: answers(SessionAnswer, 400, 403, 409, 429),
      detail: { tags, summary: 'Make an account and log in' },
    },
  )
  .post(
    '/login',
    async ({ body, request, set }) => {
      const knownDevice = await findKnownDevice(body.email, request.headers.get('cookie'));
      const attempt = () => logIn(body, deviceOf(request), knownDevice);
      // What others do behind the same address is no reason to keep out a browser that the account knows (decision S13).
      const answer = await (knownDevice
        ? attempt()
        : rateLimitFailures(logins, request, triesKeyOf(body.email), attempt));
      await replaceSession(await visitorOf(request).catch(() => undefined), answer);
      set.headers['set-cookie'] = await cookiesFor(answer);
      return answer;
    },
    {
      beforeHandle: refuseForeignOrigin,
      body: Login,
      response: answers(SessionAnswer, 400, 401, 403, 429),
      detail: { tags, summary: 'Log in' },
    },
  )
  .get(
    '/me',
    async ({ visitor, request, set }) => {
      const user = await readUser(visitor.id);
      // The row grows with use; so must the cookies.
      set.headers['set-cookie'] = renewedCookies(request);
      return { user };
    },
    {
      role: 'user',
      response: answers(UserAnswer, 401),
      detail: { tags, summary: 'Who is logged in', security },
    },
  )
  .post(
    '/token',
    async ({ visitor, request }) => ({ token: tokenOf(request) ?? '', user: await readUser(visitor.id) }),
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      response: answers(SessionAnswer, 401, 403, 429),
      detail: {
        tags,
        summary:
          'The token of the session in the cookie, for a page whose form was sent before its script was there',
        security,
      },
    },
  )
  .put(
    '/profile',
    async ({ visitor, body, set }) => {
      const user = await changeProfile(visitor, body);
      if (body.newPassword !== undefined) set.headers['set-cookie'] = await deviceCookiesFor(visitor.id);
      return { user };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      body: ProfileChange,
      response: answers(UserAnswer, 400, 401, 403, 409, 429),
      detail: { tags, summary: 'Change the own display name, language or password', security },
    },
  )
  .post(
    '/logout',
    async ({ request, set }) => {
      const visitor = await visitorOf(request);
      if (visitor) await logOut(visitor);
      set.headers['set-cookie'] = sessionCookiesFor(undefined);
      return { loggedOut: true as const };
    },
    {
      // Also without a session: a page of another site must not take the cookie from a browser that did not send it along.
      beforeHandle: [refuseForeignOrigin, rateLimitWrites],
      response: answers(LoggedOut, 403, 429),
      detail: { tags, summary: 'End the session of this device; a repeat changes nothing', security },
    },
  );
