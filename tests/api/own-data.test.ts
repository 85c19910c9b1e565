import { expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { hashToken } from '#api/plugins/session.ts';
import { connection } from '#db/client.ts';
import { answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { untilSomebodyWaits } from '#tests/kit/lock-waits.ts';
import { makeChannel, makeEvent, makeFan, makeStar } from '#tests/kit/make.ts';

const own = useDatabase({ patient: true });
setDefaultTimeout(300_000);

const password = '밤하늘의 별 72';
let serial = 0;
let addresses = 0;

const ask = (path: string, token: string, init: RequestInit = {}) =>
  call(`/api/auth${path}`, {
    ...init,
    headers: { ...init.headers, ...bearer(token) },
    from: `10.9.0.${++addresses}`,
  });

interface Fan {
  id: number;
  token: string;
  username: string;
  email: string;
}

async function register(): Promise<Fan> {
  const name = `own_${++serial}`;
  const { json } = await call('/api/auth/register', {
    ...sending({
      email: `${name}@byeol.example`,
      username: name,
      displayName: `이름 ${name}`,
      password,
      confirmPassword: password,
    }),
    from: `10.9.1.${serial}`,
  });
  const { token, user } = json as { token: string; user: Fan };
  return { ...user, token };
}

/** One row about this fan in every table that knows people, as much of it by hand as the doors would need many calls for. */
async function fillIn({
  id,
  token,
  username,
}: Fan): Promise<{ star: number; event: number; message: number }> {
  const sql = connection();
  const star = await makeStar({ name: '내보낸 별' });
  const event = await makeEvent({ star });
  const other = await makeFan();
  const [channel] = await sql<{ id: number }[]>`
    insert into channels (star_id) values (${star}) returning id`;
  const room = channel?.id ?? 0;
  const [message] = await sql<{ id: number }[]>`
    insert into messages (channel_id, user_id, content) values (${room}, ${id}, '안녕') returning id::int`;
  const [foreign] = await sql<{ id: number }[]>`
    insert into messages (channel_id, user_id, content) values (${room}, ${other.id}, '광고') returning id::int`;
  const session = hashToken(token);
  await sql`insert into message_keys (user_id, client_id, message_id) values (${id}, 'key-of-fan', 1)`;
  await sql`insert into follows (user_id, star_id) values (${id}, ${star})`;
  await sql`insert into channel_members (channel_id, user_id) values (${room}, ${id})`;
  await sql`insert into channel_mutes (channel_id, user_id, until, reason)
    values (${room}, ${id}, now() + interval '1 h', '도배')`;
  await sql`insert into user_blocks (user_id, blocked_id) values (${id}, ${other.id}), (${other.id}, ${id})`;
  await sql`insert into message_reports (message_id, reporter_id, reason, details)
    values (${foreign?.id ?? 0}, ${id}, 'spam', ${`저는 ${username} 이고 전화번호를 물어봤어요`})`;
  await sql`insert into event_subscriptions (user_id, event_id) values (${id}, ${event})`;
  await sql`insert into reminders (user_id, event_id, version, time, channel, due_at, next_at)
    values (${id}, ${event}, 1, '1d', 'email', now() + interval '1 d', now() + interval '1 d')
    on conflict do nothing`;
  await sql`insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
    values (${id}, ${session}, ${`https://push.example/${id}`}, 'key-of-push', 'secret-of-push')`;
  await sql`insert into calendar_links (user_id, token_hash) values (${id}, ${Buffer.alloc(32, id)})`;
  await sql`insert into account_tokens (hash, user_id, kind, email_key, expires_at)
    values (${hashToken(`letter ${id}`)}, ${id}, 'reset', 'x@byeol.example', now() + interval '1 h')`;
  return { star, event, message: message?.id ?? 0 };
}

/** Where a person is the subject, and what the export calls it. */
const owned = {
  'sessions.user_id': 'devices',
  'account_tokens.user_id': 'letters',
  'follows.user_id': 'follows',
  'channel_members.user_id': 'channels',
  'channel_mutes.user_id': 'mutes',
  'user_blocks.user_id': 'blocked',
  'event_subscriptions.user_id': 'eventSubscriptions',
  'reminders.user_id': 'reminders',
  'push_subscriptions.user_id': 'pushBrowsers',
  'calendar_links.user_id': 'calendarLink',
} as const;

/** Where a person stays named by number alone once the account is gone. */
const keptColumns = {
  'messages.user_id': 'messages',
  'message_reports.reporter_id': 'reports',
  'audit_log.actor_id': 'decisions',
} as const;

/**
 * Who decided something about a thing, or is blocked by somebody: not the person's own data. Keys of calls are kept for a day and tell
 * nothing.
 */
const others = [
  'article_corrections.editor_id',
  'channel_mutes.muted_by',
  'directory_imports.actor_id',
  'events.decided_by',
  'idempotency_keys.user_id',
  'message_reports.decided_by',
  'messages.deleted_by',
  'newsroom_failures.replayed_by',
  'sources.created_by',
  'star_revisions.actor_id',
  'story_drafts.author_id',
  'user_blocks.blocked_id',
];

test('every table that knows people is in the export and in the deletion, or named here as one that is not', async () => {
  const columns = await connection()<{ name: string }[]>`
    select conrelid::regclass || '.' || attname as name from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where contype = 'f' and confrelid = 'users'::regclass and conparentid = 0 order by 1`;
  const expectedColumns = [...Object.keys(owned), ...Object.keys(keptColumns), ...others].sort();
  expect(columns.map(({ name }) => name).sort()).toEqual(expectedColumns);
});

test('the export holds everything of its owner, no secrets and nothing of others', async () => {
  const fan = await register();
  const { star, event, message } = await fillIn(fan);
  await connection()`insert into audit_log (actor_id, action, subject, notes)
    values (${fan.id}, 'event.approve', 'event', '확인했어요')`;
  const { json, text, headers } = await ask('/export', fan.token);
  const data = json as Record<string, unknown>;
  expect(Object.keys(data).sort()).toEqual(
    ['account', 'exportedAt', ...Object.values(owned), ...Object.values(keptColumns)].sort(),
  );
  for (const [name, part] of Object.entries(data)) expect([name, part]).not.toEqual([name, []]);
  expect(data).toMatchObject({
    account: { id: fan.id, username: fan.username, email: fan.email, displayName: `이름 ${fan.username}` },
    follows: [{ starId: star, name: '내보낸 별' }],
    messages: [{ id: message, starId: star, content: '안녕' }],
    reports: [{ reason: 'spam', details: expect.stringContaining('전화번호') }],
    mutes: [{ starId: star, reason: '도배' }],
    eventSubscriptions: [{ eventId: event }],
    decisions: [{ action: 'event.approve', notes: '확인했어요' }],
    calendarLink: { since: expect.any(String) },
  });
  expect(text).not.toMatch(/argon2|[0-9a-f]{64}|secret-of-push|key-of-push|광고/);
  expect(headers.get('content-disposition')).toStartWith('attachment; filename="byeol-');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect((await call('/api/auth/export')).status).toBe(401);
});

test('the export of whoever wrote much comes in pieces, each message once', async () => {
  const fan = await register();
  const sql = connection();
  const written: string[] = [];
  for (const count of [1_000, 501]) {
    const star = await makeChannel();
    await sql`insert into messages (channel_id, user_id, content)
      select id, ${fan.id}, 'no. ' || n from channels, generate_series(1, ${count}::int) n where star_id = ${star}`;
    for (let n = count; n > 0; n--) written.push(`${star} no. ${n}`);
  }
  const { text, headers } = await ask('/export', fan.token);
  expect(headers.get('content-type')).toBe('application/json');
  const { messages } = JSON.parse(text) as { messages: { starId: number; content: string }[] };
  expect(messages.map(({ starId, content }) => `${starId} ${content}`)).toEqual(written);
});

test('deletion asks for the password, leaves messages as nobody’s and no other trace of the person', async () => {
  const fan = await register();
  const { star, message } = await fillIn(fan);
  const sql = connection();
  await sql`insert into audit_log (action, subject, subject_id, details)
    values ('user.role', 'user', ${fan.id}, jsonb_build_object('to', 'editor', 'username', ${fan.username}::text))`;
  const erase = (currentPassword: string) =>
    ask('/account', fan.token, sending({ currentPassword }, 'DELETE'));
  expect((await erase('not this one')).json).toMatchObject({
    field: 'currentPassword',
    code: 'password_wrong',
  });
  expect((await erase('')).json).toMatchObject({ field: 'currentPassword', code: 'required' });
  expect((await ask('/me', fan.token)).status).toBe(200);
  expect((await erase(password)).json).toEqual({ deleted: true });

  expect((await ask('/me', fan.token)).status).toBe(401);
  expect((await call(`/api/stars/${star}/profile`)).json).toMatchObject({ followerCount: 0 });
  for (const name of [...Object.keys(owned), 'user_blocks.blocked_id', 'message_keys.user_id']) {
    const [table = '', column = ''] = name.split('.');
    const [row] = await sql<{ left: number }[]>`
      select count(*)::int as left from ${sql(table)} where ${sql(column)} = ${fan.id}`;
    expect([name, row?.left]).toEqual([name, 0]);
  }
  const { messages } = await answerOf(
    typedCall('get', '/api/community/channels/:starId/messages', {
      params: { starId: star },
      query: { limit: 50 },
    }),
  );
  const remaining = messages.find(({ id }) => id === message);
  expect(remaining?.content).toBe('안녕');
  expect(JSON.stringify(remaining)).not.toMatch(new RegExp(`${fan.username}|~${fan.id}`));

  // What a dump of the whole database would still tell about the person.
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema', 'pgboss')`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(
      `select 1 from ${name} t where t::text ilike '%${fan.email}%' or t::text ~ '\\m${fan.username}\\M'`,
    );
    expect([name, rows.length]).toEqual([name, 0]);
  }
  const registered = await call('/api/auth/register', {
    ...sending({ email: fan.email, username: fan.username, password, confirmPassword: password }),
    from: '10.9.2.1',
  });
  expect(registered.status).toBe(200);
});

test('deletion waits for who writes in a channel of the account, and neither waits for the other', async () => {
  const fan = await register();
  const star = await makeChannel({ members: [fan.id] });
  const writing = postgres(own.url, { max: 1 });
  let leaving: ReturnType<typeof ask> | undefined;
  await writing.begin(async (tx) => {
    // As byeol_store_messages locks them: the channel, then the author.
    await tx`select from channels where star_id = ${star} for no key update`;
    leaving = ask('/account', fan.token, sending({ currentPassword: password }, 'DELETE'));
    await untilSomebodyWaits();
    await tx`select from users where id = ${fan.id} for key share`;
  });
  await writing.end();
  expect((await leaving)?.json).toEqual({ deleted: true });
  expect(await connection()`select from channels where star_id = ${star} and member_count = 0`).toHaveLength(
    1,
  );
});

test('deletion takes along what a call under way writes', async () => {
  const fan = await register();
  const star = await makeStar();
  const following = postgres(own.url, { max: 1 });
  let leaving: ReturnType<typeof ask> | undefined;
  await following.begin(async (tx) => {
    await tx`insert into follows (user_id, star_id) values (${fan.id}, ${star})`;
    leaving = ask('/account', fan.token, sending({ currentPassword: password }, 'DELETE'));
    await untilSomebodyWaits();
  });
  await following.end();
  expect((await leaving)?.json).toEqual({ deleted: true });
  expect(await connection()`select from follows where user_id = ${fan.id}`).toHaveLength(0);
});

test('the last admin cannot leave, of two at once one can', async () => {
  const admins = [await register(), await register()];
  const ids = admins.map(({ id }) => id);
  await connection()`update users set role = 'admin' where id in ${connection()(ids)}`;
  const answers = await Promise.all(
    admins.map(({ token }) => ask('/account', token, sending({ currentPassword: password }, 'DELETE'))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({ code: 'last_admin' });
  expect(await connection()`select from users where role = 'admin' and deleted_at is null`).toHaveLength(1);
});

test('what a letter’s job knew of a person is kept for an hour after it, not for a week', async () => {
  await register();
  const [row] = await connection()<{ kept: number }[]>`
    select distinct deletion_seconds as kept from pgboss.job where name = 'account-letter'`;
  expect(row?.kept).toBe(3600);
});
