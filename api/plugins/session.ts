import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { Elysia } from 'elysia';
import { type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from 'lucia';
import type { Lang } from '#content/locales.ts';
import { sessionMark, storageKey } from '#content/site.ts';
import { type Database, database } from '#db/client.ts';
import { findSession } from '#db/queries/accounts/sessions.ts';
import { type Role, sessions } from '#db/schema/accounts.ts';
import { config } from '../config.ts';
import { Forbidden, NotAuthenticated } from '../errors.ts';

/** Who asks, as rules need to know it. */
export interface Visitor {
  id: number;
  username: string;
  role: Role;
  language: Lang;
  /** SHA-256 of the token: the row of this device. */
  sessionId: string;
}

/** The adapter's types refuse the real table, whose identity column cannot be inserted; it asks `users` for nothing. */
const accounts = pgTable('users', { id: integer('id').primaryKey() });

interface UserRow {
  username: string;
  role: Role;
  language: Lang;
  isDeleted: boolean;
}

/** Reads sessions by our own statement, for many calls at once. */
class Sessions extends DrizzlePostgreSQLAdapter {
  override async getSessionAndUser(id: string): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const row = await findSession(id);
    if (!row) return [null, null];
    const { expiresAt, userId, username, role, language, isDeleted } = row;
    return [
      { id, userId, expiresAt, attributes: {} },
      { id: userId, attributes: { username, role, language, isDeleted } },
    ];
  }
}

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof makeLucia>;
    UserId: number;
    DatabaseUserAttributes: UserRow;
    DatabaseSessionAttributes: { userAgent?: string; address?: string };
  }
}

/** Whether browsers reach this site by https. */
export const isHttps = (): boolean => config().siteUrl.startsWith('https:');
/** On https browsers take it from our own host alone: a sibling's cannot come before it. */
export const sessionCookie = (): string => `${isHttps() ? '__Host-' : ''}${storageKey}_session`;
const lifetime = new TimeSpan(30, 'd');
/** 256 random bits in hexadecimal; anything else is not a token of ours and never reaches the database. */
const tokenPattern = /^[0-9a-f]{64}$/;

function makeLucia(db: Database) {
  return new Lucia(new Sessions(db, sessions, accounts), {
    sessionExpiresIn: lifetime,
    getUserAttributes: (account) => account,
  });
}

const luciaByDatabase = new WeakMap<Database, ReturnType<typeof makeLucia>>();

/** Lucia on the open database. Its session ids are SHA-256 of the tokens (decision S2). */
export function lucia(): ReturnType<typeof makeLucia> {
  const db = database();
  const instance = luciaByDatabase.get(db) ?? makeLucia(db);
  luciaByDatabase.set(db, instance);
  return instance;
}

/** A token of 256 random bits. */
export const newToken = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');

/** False for what cannot be a token of ours and need not reach the database. */
export const isToken = (text: string): boolean => tokenPattern.test(text);

export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}

/** Opens a session of 30 days (it grows while it is used) and returns its token, which only the visitor keeps. */
export async function openSession(
  userId: number,
  device: { userAgent?: string; address?: string } = {},
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const { expiresAt } = await lucia().createSession(userId, device, { sessionId: hashToken(token) });
  return { token, expiresAt };
}

/**
 * The `Set-Cookie` values of a session (decision S2), or those that end it when there is no token: the token where scripts
 * cannot read it, and beside it a mark that they can, which proves nothing. It tells a page whether to ask who this is, so
 * that guests ask nothing and a session outlives what a browser's storage loses.
 */
export function sessionCookiesFor(token: string | undefined): string[] {
  const secure = isHttps() ? '; Secure' : '';
  const age = token === undefined ? 0 : lifetime.seconds();
  const attributes = `SameSite=Lax; Max-Age=${age}${secure}`;
  return [
    `${sessionCookie()}=${token ?? ''}; Path=/; HttpOnly; ${attributes}`,
    `${sessionMark}=${token === undefined ? '' : 1}; Path=/; ${attributes}`,
  ];
}

interface Credentials {
  token: string;
  by: 'bearer' | 'cookie';
}

/** The token of a request: Bearer, else the cookie. Undefined when neither looks like one. */
function credentialsOf(request: Request): Credentials | undefined {
  const bearer = request.headers.get('authorization')?.match(/^Bearer ([^\s]+)$/i)?.[1];
  if (bearer !== undefined) return tokenPattern.test(bearer) ? { token: bearer, by: 'bearer' } : undefined;
  const cookie = readCookie(request.headers.get('cookie'), sessionCookie());
  return cookie && tokenPattern.test(cookie) ? { token: cookie, by: 'cookie' } : undefined;
}

/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/** The token that a request carries; its session may have ended. */
export function tokenOf(request: Request): string | undefined {
  return credentialsOf(request)?.token;
}

/** `Set-Cookie` for the token of a request with a live session, so that the cookies last as long as the session. */
export function renewedCookies(request: Request): string[] {
  return sessionCookiesFor(credentialsOf(request)?.token);
}

/** True for a session by cookie whose mark was lost, or that was opened before there was one. */
export function lacksSessionMark(request: Request): boolean {
  const cookies = request.headers.get('cookie');
  return credentialsOf(request)?.by === 'cookie' && readCookie(cookies, sessionMark) === undefined;
}

/** True when the request may be somebody's: its answer is then never public. */
export function hasCredentials(request: Request): boolean {
  return credentialsOf(request) !== undefined;
}

/** Names of this very machine: a browser may show any of them for the site of somebody who tries it out. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** True for the origin of this site. */
export function isOwnOrigin(origin: string | null): boolean {
  const own = new URL(config().siteUrl);
  const names = own.hostname === 'localhost' ? loopback : [own.hostname];
  return names.some((name) => origin === new URL(`${own.protocol}//${name}:${own.port}`).origin);
}

/** True when the request says that a page of ours made it. */
export const isFromOwnOrigin = (request: Request): boolean => isOwnOrigin(request.headers.get('origin'));

const visitors = new WeakMap<Request, Promise<Visitor | undefined>>();

/**
 * Who makes a request; undefined without a live session. Asked once per request, however many rules want to know.
 * @throws Forbidden for a writing call that only the cookie vouches for and that no page of ours made (quality §Safe 10)
 */
export function visitorOf(request: Request): Promise<Visitor | undefined> {
  const cached = visitors.get(request);
  if (cached) return cached;
  const visitor = findVisitor(request);
  visitors.set(request, visitor);
  return visitor;
}

/** Who asks for a page: a form that the cookie alone vouches for and that comes from elsewhere is nobody's. */
export async function readerOf(request: Request): Promise<Visitor | undefined> {
  try {
    return await visitorOf(request);
  } catch (error) {
    if (error instanceof Forbidden) return undefined;
    throw error;
  }
}

async function findVisitor(request: Request): Promise<Visitor | undefined> {
  const credentials = credentialsOf(request);
  if (!credentials) return undefined;
  const writes = request.method !== 'GET' && request.method !== 'HEAD';
  if (writes && credentials.by === 'cookie' && !isFromOwnOrigin(request)) {
    throw new Forbidden('foreign_origin', 'This call must come from our own pages.');
  }
  const { user, session } = await lucia().validateSession(hashToken(credentials.token));
  if (!user || user.isDeleted) return undefined;
  return {
    id: user.id,
    username: user.username,
    role: user.role,
    language: user.language,
    sessionId: session.id,
  };
}

const rank: Record<Role, number> = { user: 0, editor: 1, admin: 2 };

/**
 * Checks on who asks, before what was sent is validated. `visitor: true` gives handlers `visitor` when there is one;
 * `role: 'user'` demands a session (401) and that role or a higher one (403).
 */
export const session = new Elysia({ name: 'session' }).macro({
  visitor: {
    resolve: async ({ request }) => ({ visitor: await visitorOf(request) }),
  },
  role: (minimumRole: Role) => ({
    transform: async ({ request }) => {
      await requireRole(request, minimumRole);
    },
    resolve: async ({ request }) => ({ visitor: await requireRole(request, minimumRole) }),
  }),
});

/** The visitor, who must have the role or a higher one. */
export async function requireRole(request: Request, minimumRole: Role): Promise<Visitor> {
  const visitor = await visitorOf(request);
  if (!visitor) throw new NotAuthenticated();
  if (rank[visitor.role] < rank[minimumRole]) throw new Forbidden();
  return visitor;
}
