import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { config, setConfig } from '#api/config.ts';
import { invalidate, onInvalidation } from '#api/invalidation.ts';
import { hashToken, sessionCookie } from '#api/plugins/session.ts';
import { flushThrottled } from '#api/throttled-invalidation.ts';
import { connection } from '#db/client.ts';
import { nobodysHash } from '#db/password.ts';
import { countLateFollows } from '#db/queries/accounts/follows.ts';
import { createAccount } from '#db/seed/accounts.ts';
import { type Answer, bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel, makeFan, makeStar } from '#tests/kit/make.ts';
import { countBefore, untilWindowHas } from '#tests/kit/rate-windows.ts';
import { until } from '#tests/kit/until.ts';

useDatabase();
// Passwords are slow to hash on purpose, and slower on a busy machine.
setDefaultTimeout(120_000);

const own = 'http://localhost:4321';
const password = '밤하늘의 별 72';
let serial = 0;
let addresses = 0;
/** Each from an address of its own, so that only the limits under test count. */
const from = () => `10.1.${Math.floor(++addresses / 250)}.${addresses % 250}`;

const post = (path: string, body: unknown, headers: Record<string, string> = {}, address = from()) => {
  const init = sending(body);
  return call(path, { ...init, headers: { ...init.headers, ...headers }, from: address });
};
const put = (body: unknown, headers: Record<string, string>) =>
  call('/api/auth/profile', {
    ...sending(body, 'PUT'),
    headers: { 'content-type': 'application/json', ...headers },
    from: from(),
  });
const me = (headers: Record<string, string>) => call('/api/auth/me', { headers });

function registrationInput(change: Record<string, unknown> = {}): Record<string, unknown> {
  const number = ++serial;
  return {
    email: `fan${number}@byeol.example`,
    username: `moon_${number}`,
    password,
    confirmPassword: password,
    ...change,
  };
}

const register = (change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post('/api/auth/register', registrationInput(change), headers);
const logIn = (email: unknown, secret: unknown = password, address = from()) =>
  post('/api/auth/login', { email, password: secret }, {}, address);

/** What an answer of login or register holds. */
function signedIn({ json }: Answer): {
  token: string;
  user: { id: number; username: string; email: string };
} {
  const { token, user } = json as { token: string; user: { id: number; username: string; email: string } };
  return { token, user };
}

const problemOf = ({ status, json }: Answer) => {
  const { field, code } = json as { field?: string; code?: string };
  return [status, field, code];
};

describe('registering', () => {
  test('makes a fan, logs in by token and cookie, and tells nobody the password', async () => {
    const input = registrationInput({ displayName: '  문   워커 ', language: 'ms' });
    const answer = await post('/api/auth/register', input, { 'user-agent': 'Moon/1' });
    expect(answer.status).toBe(200);
    const { token, user } = signedIn(answer);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(user).toEqual({
      id: expect.any(Number),
      username: String(input.username),
      displayName: '문 워커',
      email: String(input.email),
      emailVerified: false,
      role: 'user',
      language: 'ms',
      profileImageUrl: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    } as never);
    expect(answer.headers.getSetCookie()).toContain(
      `${sessionCookie()}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000`,
    );
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    for (const headers of [bearer(token), { cookie: `${sessionCookie()}=${token}` }]) {
      expect((await me(headers)).json).toMatchObject({ user: { id: user.id } });
    }
    const [row] = await connection()<{ hash: string; session: string; agent: string }[]>`
      select password_hash as hash, s.id as session, user_agent as agent
      from users join sessions s on s.user_id = users.id where users.id = ${user.id}`;
    expect(row?.hash).toStartWith('$argon2id$');
    expect([row?.session, row?.agent]).toEqual([hashToken(token), 'Moon/1']);
  });

  test('needs every field but the display name', async () => {
    for (const field of ['email', 'username', 'password', 'confirmPassword']) {
      const { [field]: _, ...incomplete } = registrationInput();
      expect(problemOf(await post('/api/auth/register', incomplete))).toEqual([400, field, 'required']);
    }
    for (const field of ['email', 'username', 'password']) {
      const blank = await register({ [field]: '', ...(field === 'password' ? { confirmPassword: '' } : {}) });
      expect(problemOf(blank)).toEqual([400, field, 'required']);
    }
    expect((await register({ displayName: null })).status).toBe(200);
    expect((await register({ displayName: '   ' })).json).toMatchObject({ user: { displayName: null } });
  });

  test('takes usernames of 3 to 20 letters, digits, underscores and Hangul', async () => {
    const problem = async (username: string) => problemOf(await register({ username }))[2];
    expect(await problem('ab')).toBe('username_short');
    expect(await problem('별빛')).toBe('username_short');
    expect(await problem('a'.repeat(21))).toBe('username_long');
    for (const name of [
      'moon walker',
      'moon-walker',
      'moon.',
      'môôn',
      'ㄱㄴㄷ',
      'мооn',
      'a\u202ebc',
      '😀😀😀',
      '<b>x</b>',
    ]) {
      expect([name, await problem(name)]).toEqual([name, 'username_characters']);
    }
    for (const name of ['abc', '별빛비', 'Moon_0728', '가'.repeat(20)]) {
      expect([name, (await register({ username: name })).status]).toEqual([name, 200]);
    }
  });

  test('composes Hangul, so that a name typed on a Mac is the same name', async () => {
    const answer = await register({ username: '하늘다람쥐'.normalize('NFD') });
    expect(signedIn(answer).user.username).toBe('하늘다람쥐');
    expect(problemOf(await register({ username: '하늘다람쥐' }))).toEqual([
      409,
      'username',
      'username_taken',
    ]);
  });

  test('refuses reserved names and what looks like them', async () => {
    for (const username of [
      ...['admin', 'ADMIN', 'Admin1', '_admin_', 'adm1n', '4dmin', 'addmin', 'adrnin', 'ad_min', '007admin'],
      ...[
        'administrator',
        'moderator',
        'm0derat0r',
        'official',
        '0fficial',
        'officia1',
        'offlcial',
        'byeol',
        'byeo1',
        'BYE0L_2',
      ],
      ...[
        '관리자',
        '운영자',
        '관리자1',
        '운영자_',
        '관_리_자',
        '관리자'.normalize('NFD'),
        '관리쟈',
        '운영자님',
      ],
      ...['6yeol', 'byeol_official', 'admin_byeol', 'ByeolOfficial', 'fan_admin', 'admins'],
      ...[
        '별관리자',
        '별운영자',
        '별공식',
        '별운영팀',
        '별admin',
        '별Official',
        '관리자별',
        '공식별',
        '별편집부',
      ],
      ...['별newsroom', 'Byeol별관리자', '관리팀', '관리진', '팀별_team'],
    ]) {
      expect([username, ...problemOf(await register({ username }))]).toEqual([
        username,
        400,
        'username',
        'username_reserved',
      ]);
    }
    for (const displayName of [
      ...[
        'Admin',
        'Аdmin',
        'ａｄｍｉｎ',
        '관리자',
        'B y e o l',
        'official ✔',
        'BYEOL Official',
        '운영자님',
        'Byeol Staff',
        'Byeol Mod',
        'Haru MOD',
        'Support',
        '별 운영팀',
        'Pentadbir',
        'Quản trị viên',
        'Byeol chính thức',
        'Byeol Team',
        'byeol 편집부',
        'Pengurus Byeol',
        'Trợ giúp Byeol',
        '✅',
        'haru ✔',
        '별 팀',
        '별 편집부',
        '팀 별',
        '팀별 관리자',
        '팀별 편집부',
        'team 팀별',
        '별팀별',
        '관리팀',
        'Byeol 관리팀',
      ],
      // Greek, Cherokee, Lisu, Coptic, Armenian, Arabic, small capitals, on dark ground, single letters of Hangul.
      ...['ΑDΜΙΝ', 'Ꭺdmin', 'ꭺꭰmin', 'ꓮꓓꓟꓲꓠ', 'adⲙin', 'օfficial', 'ɑԁⅿіո', '٠fficial', 'ᴀᴅᴍɪɴ', '🅰🅳🅼🅸🅽'],
      ...['ᏴYEOL', 'ㄱㅘㄴ리자'],
    ]) {
      expect([displayName, problemOf(await register({ displayName }))[2]]).toEqual([
        displayName,
        'display_name_reserved',
      ]);
    }
    for (const username of [
      ...['byeolbit', 'byeol_fan', 'administer', '관리자의밤', 'madmind', 'unofficial'],
      ...['별빛이', '별님이', '한별이', '샛별팀', '별헤는밤'],
    ]) {
      expect([username, (await register({ username })).status]).toEqual([username, 200]);
    }
    for (const displayName of [
      'ㅋㅋㅋ',
      '_작ㅘㄵㅐ',
      'Мария',
      '하나님',
      '★',
      'สวัสดี',
      'नमस्ते',
      'haru ❤️',
      'Team Haru',
      '하루 편집자',
      '별빛',
      '별님',
      '한별',
      '별이',
      '한별 팀',
      '팀별',
      '팀별 응원',
    ]) {
      expect([displayName, (await register({ displayName })).status]).toEqual([displayName, 200]);
    }
  });

  test('refuses display names that hide or turn what is read, and too long ones', async () => {
    // The last ones are drawn as nothing: an empty name, or a reserved one with a filler that hides it from the list.
    for (const displayName of [
      ...['a\u206ab', 'a\u180bb', 'a\ufffeb', 'a\u{1bca0}b', 'a\u{13430}b', 'ᎪᎠᎷᏆN', 'ᗩᗪᗰIᑎ'],
      ...['a\u202eb', 'a\u0007', 'a\u200bb', '\u2066x\u2069', 'a\nb', 'a\u{e000}'],
      ...[
        '\u3164',
        '관리자\u3164',
        '관\u1160리자',
        'admin\uffa0',
        '\u2800',
        '\ufe0f',
        '\u200d',
        'admin\u{e0061}',
      ],
      ...[`a${'\u0301'.repeat(30)}`, `b${'\u0323'.repeat(9)}`, `c${'\u20dd'.repeat(5)}`],
    ]) {
      expect(problemOf(await register({ displayName }))).toEqual([
        400,
        'displayName',
        'display_name_characters',
      ]);
    }
    expect(problemOf(await register({ displayName: '가'.repeat(41) }))).toEqual([
      400,
      'displayName',
      'display_name_long',
    ]);
    // Beyond what is read at all, no number: the bound of reading is not that of the field.
    for (const name of ['displayName', 'password'] as const) {
      const { status, json } = await register({ [name]: 'x'.repeat(1001) });
      expect([status, json]).toMatchObject([400, { field: name, error: 'Is too long.' }]);
    }
    expect((await register({ displayName: '👩‍🚀 Nguyễn Ngọc Ánh' })).status).toBe(200);
  });

  test('takes passwords of 6 to 128 characters that are not among the most common', async () => {
    const problem = async (secret: string, more = {}) =>
      problemOf(await register({ password: secret, confirmPassword: secret, ...more }))[2];
    expect(await problem('5chrs')).toBe('password_short');
    expect(await problem('가나다라마')).toBe('password_short');
    expect(await problem('x'.repeat(129))).toBe('password_long');
    for (const secret of [
      '123456',
      'password',
      'PassWord1',
      'qwer1234',
      '1q2w3e4r',
      'iloveyou',
      'zzzzzzzz',
      '      ',
      'ababab',
      'password12',
      'byeol123',
    ]) {
      expect([secret, await problem(secret)]).toEqual([secret, 'password_common']);
    }
    expect(await problem('Star_Rider', { username: 'star_rider' })).toBe('password_common');
    expect(await problem('zerostella', { email: 'zerostella@byeol.example' })).toBe('password_common');
    expect(problemOf(await register({ confirmPassword: '' }))).toEqual([400, 'confirmPassword', 'required']);
    expect(problemOf(await register({ confirmPassword: `${password} ` }))).toEqual([
      400,
      'confirmPassword',
      'password_mismatch',
    ]);
    const twoWays = { password: 'trăngrằm99 đêm', confirmPassword: 'trăngrằm99 đêm'.normalize('NFD') };
    expect((await register(twoWays)).status).toBe(200);
    const longest = `${'가나다'.repeat(42)}라`;
    const { user } = signedIn(await register({ password: `${longest}A`, confirmPassword: `${longest}A` }));
    expect((await logIn(user.email, `${longest}A`)).status).toBe(200);
    expect((await logIn(user.email, `${longest}B`)).status).toBe(401);
  });

  test('takes e-mail addresses only, of any case, once', async () => {
    for (const email of [
      'moon',
      'moon@',
      '@byeol.example',
      'moon@byeol',
      'a b@byeol.example',
      'a@b@c.d',
      'a\u202eb@c.de',
      'a@127.0.0.1',
      `${'a'.repeat(250)}@b.cd`,
    ]) {
      expect([email, ...problemOf(await register({ email }))]).toEqual([email, 400, 'email', 'email_form']);
    }
    expect((await register({ email: 'Twice@byeol.example' })).status).toBe(200);
    expect(problemOf(await register({ email: ' twice@BYEOL.example ' }))).toEqual([
      409,
      'email',
      'email_taken',
    ]);
  });

  test('gives one of two who ask for the same name at once a conflict', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => register({ username: 'RacingStar' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await register({ username: 'racingstar' })).status).toBe(409);
  });

  test('gives no role, whatever is asked for', async () => {
    const answer = await register({ role: 'admin', isAdmin: true, user: { role: 'admin' }, id: 1 });
    expect(answer.json).toMatchObject({ user: { role: 'user' } });
    const { token } = signedIn(answer);
    expect(
      (await put({ role: 'admin', username: 'admin', displayName: '별' }, bearer(token))).json,
    ).toMatchObject({
      user: { role: 'user', displayName: '별', username: signedIn(answer).user.username },
    });
  });

  test('is limited per address, by what could tell who is registered: not by forms that break a rule', async () => {
    const address = '10.9.9.9';
    const ask = async (change: Record<string, unknown>) =>
      (await post('/api/auth/register', registrationInput(change), {}, address)).status;
    const bad: Record<string, unknown>[] = [
      { password: 'no' },
      { confirmPassword: 'another one' },
      { email: 'moon' },
      { username: 'ab' },
      { username: 'admin' },
    ];
    for (let count = 0; count < 25; count++) expect(await ask(bad[count % bad.length] ?? {})).toBe(400);
    await untilWindowHas(20, 120);
    const { user } = signedIn(await post('/api/auth/register', registrationInput(), {}, address));
    for (let count = 1; count < 20; count++) expect(await ask({ username: user.username })).toBe(409);
    const last = await post('/api/auth/register', registrationInput(), {}, address);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([await ask({ username: user.username }), await ask({ password: 'no' })]).toEqual([429, 400]);
  });
});

describe('logging in', () => {
  test('opens a new session each time and ends the one the device had', async () => {
    const { token, user } = signedIn(await register());
    const answer = await logIn(` ${user.email.toUpperCase()} `);
    expect(answer.status).toBe(200);
    const next = signedIn(answer).token;
    expect(next).not.toBe(token);
    expect((await me(bearer(token))).status).toBe(200);
    const secondLogin = await post(
      '/api/auth/login',
      { email: user.email, password },
      { cookie: `${sessionCookie()}=${next}`, origin: own },
    );
    expect(secondLogin.status).toBe(200);
    expect((await me(bearer(next))).status).toBe(401);
    expect((await me(bearer(signedIn(secondLogin).token))).json).toMatchObject({ user: { id: user.id } });
  });

  test('is refused in the same words for an unknown address, a wrong password and an account without one', async () => {
    const { user } = signedIn(await register());
    const { id } = await makeFan();
    await connection()`update users set email = 'demo@byeol.example', email_key = 'demo@byeol.example' where id = ${id}`;
    const { user: deletedUser } = signedIn(await register());
    await connection()`update users set deleted_at = now() where id = ${deletedUser.id}`;
    const answers = await Promise.all([
      logIn(user.email, 'not this one'),
      logIn('nobody@byeol.example', 'not this one'),
      logIn('demo@byeol.example', 'not this one'),
      logIn(deletedUser.email, password),
      logIn('not an address', 'not this one'),
    ]);
    const [first] = answers;
    expect(first?.json).toEqual({
      error: 'That e-mail address and password don’t match.',
      code: 'login_failed',
    });
    for (const { status, text, headers } of answers) {
      expect([status, text, headers.get('set-cookie')]).toEqual([401, first?.text ?? '', null]);
    }
  });

  test('takes as long for an unknown address as for a wrong password', async () => {
    const { user } = signedIn(await register());
    const [row] = await connection()<
      { hash: string }[]
    >`select password_hash as hash from users where id = ${user.id}`;
    const cost = (hash: string | undefined) => hash?.split('$').slice(0, 4).join('$');
    expect(cost(row?.hash)).toBe(cost(nobodysHash) ?? '');
    const time = async (email: string) => {
      const begin = performance.now();
      expect((await logIn(email, 'not this one')).status).toBe(401);
      return performance.now() - begin;
    };
    const knownTimes: number[] = [];
    const unknownTimes: number[] = [];
    const quickest = (times: number[]) => Math.min(...times);
    const isAsLong = () => quickest(unknownTimes) > quickest(knownTimes) / 2;
    // The quickest of several tells what the work takes; a busy machine needs more of them until one of each was not held up.
    for (let count = 0; count < 4 || (count < 12 && !isAsLong()); count++) {
      knownTimes.push(await time(user.email));
      unknownTimes.push(await time('nobody.at.all@byeol.example'));
    }
    expect(quickest(unknownTimes)).toBeGreaterThan(quickest(knownTimes) / 2);
  });

  test('needs both fields and takes no other types', async () => {
    expect(problemOf(await logIn('', password))).toEqual([400, 'email', 'required']);
    expect(problemOf(await logIn('a@b.cd', ''))).toEqual([400, 'password', 'required']);
    for (const body of [
      undefined,
      null,
      [],
      'x',
      { email: 'a@b.cd' },
      { email: ['a@b.cd'], password },
      { email: 'a@b.cd', password: { $ne: 1 } },
    ]) {
      const { status, text } = await post('/api/auth/login', body);
      expect(status).toBe(400);
      expect(text).not.toContain(password);
    }
    expect((await logIn("' or 1=1 --", "' or 1=1 --")).status).toBe(401);
  });

  test('is not possible from a page of another site', async () => {
    const { user } = signedIn(await register());
    const body = { email: user.email, password };
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:4321.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      for (const path of ['/api/auth/login', '/api/auth/register']) {
        const answer = await post(path, { ...registrationInput(), ...body }, headers);
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
      }
    }
    expect(
      (await post('/api/auth/login', body, { origin: own, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200);
    expect(
      (
        await call('/api/auth/login', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `email=${user.email}`,
        })
      ).status,
    ).toBe(415);
    expect((await call(`/api/auth/login?email=${user.email}&password=x`)).status).toBe(405);
  });

  test('is possible by every name of this machine while the site is tried out, and by none of them elsewhere', async () => {
    const { user } = signedIn(await register());
    const status = async (origin: string) =>
      (await post('/api/auth/login', { email: user.email, password }, { origin })).status;
    for (const origin of [own, 'http://127.0.0.1:4321', 'http://[::1]:4321'])
      expect(await status(origin)).toBe(200);
    expect(await status('http://127.0.0.1')).toBe(403);
    const before = config();
    setConfig({ ...before, siteUrl: 'https://byeol.example' });
    for (const origin of [own, 'http://127.0.0.1', 'http://byeol.example'])
      expect(await status(origin)).toBe(403);
    expect(await status('https://byeol.example')).toBe(200);
    setConfig(before);
  });

  test('is limited to 25 in 5 minutes per address, also with different accounts', async () => {
    const address = '10.9.9.8';
    const statuses = new Set<number>();
    await untilWindowHas(20, 300);
    for (let count = 0; count < 25; count++) statuses.add((await logIn('', 'x', address)).status);
    expect([...statuses]).toEqual([400]);
    const { status, headers, json } = await logIn('x@byeol.example', 'x', address);
    expect([status, json]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(300);
    expect((await logIn('x@byeol.example', 'x')).status).toBe(401);
  });

  test('counts for no address when it succeeds, and takes back nothing of what others did there', async () => {
    const address = '10.9.9.7';
    const { user } = signedIn(await register());
    const right = () => logIn(user.email, password, address);
    const crowd = await Promise.all(Array.from({ length: 26 }, right));
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200]));
    for (let count = 0; count < 25; count++) {
      if (count % 8 === 0) expect((await right()).status).toBe(200);
      expect((await logIn('', 'x', address)).status).toBe(400);
    }
    expect((await right()).status).toBe(200);
  });

  test('lets in who knows the password where others have used up all failures, and tells nobody of a failure there', async () => {
    const address = '10.9.9.5';
    const fans = await Promise.all(Array.from({ length: 5 }, async () => signedIn(await register()).user));
    await countBefore(`login:address:${address}`, 25, 300);
    const statuses = await Promise.all(
      fans.map(async ({ email }) => (await logIn(email, password, address)).status),
    );
    expect(statuses).toEqual(fans.map(() => 200));
    const wrong = () => logIn(fans[0]?.email ?? '', 'wrong', address);
    const began = Date.now();
    const { status, headers, json } = await wrong();
    expect([status, json]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(headers.get('retry-after'))).toBeWithin(1, 301);
    // What comes within the pause after it is not tried, right or wrong.
    const flood = await Promise.all(Array.from({ length: 20 }, wrong));
    expect(new Set(flood.map((each) => each.status))).toEqual(new Set([429]));
    const [row] = await connection()<{ failures: number }[]>`
      select sum(count)::int as failures from rate_limits where key = ${`login-tries:${hashToken(fans[0]?.email ?? '')}`}`;
    // One may fail in each 10 s, of which those of a busy machine touch several.
    expect(row?.failures).toBeLessThanOrEqual(3 + Math.floor((Date.now() - began) / 10_000));
  });

  test('is limited to 60 an hour per account when it succeeds, wherever it comes from', async () => {
    const { user } = signedIn(await register());
    await untilWindowHas(20, 3_600);
    await countBefore(`logged-in:account:${user.id}`, 59, 3_600);
    expect((await logIn(user.email)).status).toBe(200);
    expect((await logIn(user.email)).status).toBe(429);
  });

  test('is limited to 25 an hour per account from wherever, then to a growing pace, and says so of unknown accounts too', async () => {
    // Windows are whole hours: one that ends meanwhile would begin to count anew. Some forty passwords are hashed in this one.
    const left = 3_600_000 - (Date.now() % 3_600_000);
    if (left < 90_000) await Bun.sleep(left);
    const { user } = signedIn(await register());
    const shift = (email: string, seconds: number) => connection()`
      update rate_limits set window_start = window_start - make_interval(secs => ${seconds})
      where key = ${`login-pause:${hashToken(email)}`}`;
    for (const email of [user.email, 'nobody.here@byeol.example']) {
      await connection()`insert into rate_limits (key, window_start, count)
        values (${`login-tries:${hashToken(email)}`}, date_trunc('hour', now()), 23)`;
      expect((await logIn(email, 'wrong 24')).status).toBe(401);
      let began = Date.now();
      expect((await logIn(email, 'wrong 25')).status).toBe(401);
      for (const pause of [30, 60, 120, 240]) {
        const { status, headers } = await logIn(email, password);
        expect(status).toBe(429);
        // Some of the pause is over by the time that somebody asks.
        const over = Math.ceil((Date.now() - began) / 1_000);
        expect(Number(headers.get('retry-after'))).toBeWithin(pause - over, pause + 1);
        await shift(email, pause);
        began = Date.now();
        const answers = await Promise.all([1, 2, 3].map(() => logIn(email, 'wrong again')));
        expect(answers.map(({ status: each }) => each).sort()).toEqual([401, 429, 429]);
      }
    }
    await shift(user.email, 7200);
    // Who succeeds takes back the own try and no other: the next wrong one is followed by a pause again.
    for (let count = 0; count < 2; count++) expect((await logIn(user.email)).status).toBe(200);
    expect((await logIn(user.email, 'wrong')).status).toBe(401);
    expect((await logIn(user.email)).status).toBe(429);
  }, 240_000);

  test('makes nobody wait longer than a quarter of an hour at a time', async () => {
    const email = 'long.siege@byeol.example';
    await countBefore(`login-tries:${hashToken(email)}`, 60, 3_600);
    expect((await logIn(email, 'wrong')).status).toBe(401);
    expect(Number((await logIn(email)).headers.get('retry-after'))).toBeWithin(800, 901);
  });

  test('is open to the owner on a device that knows the account, while strangers have to wait', async () => {
    const registered = await register();
    const { user, token } = signedIn(registered);
    const address = '10.9.9.6';
    const siege = async (email: string) => {
      await connection()`insert into rate_limits (key, window_start)
        values (${`login-pause:${hashToken(email)}`}, now() + interval '10 minutes') on conflict do nothing`;
      await countBefore(`login:address:${address}`, 25, 300);
    };
    const knowing = (cookie: string, secret = password, email = user.email) =>
      post('/api/auth/login', { email, password: secret }, { cookie, origin: own }, address);
    const deviceOf = ({ headers }: Answer) => {
      const set = headers.getSetCookie().filter((each) => each.startsWith(`byeol_device_${user.id}=`));
      expect(set.map((each) => each.replace(/=[0-9a-f]{64}\.[0-9a-f]{64};/, '=;'))).toEqual(
        ['/api/auth/login', '/login'].map(
          (path) => `byeol_device_${user.id}=; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=31536000`,
        ),
      );
      return set[0]?.split(';')[0] ?? '';
    };
    const device = deviceOf(registered);
    await siege(user.email);
    expect((await logIn(user.email)).status).toBe(429);
    const inside = await knowing(device);
    expect(inside.status).toBe(200);
    // The stranger is let in no sooner by it.
    expect((await logIn(user.email)).status).toBe(429);

    const other = signedIn(await register()).user;
    const nobody = 'nobody.at.home@byeol.example';
    for (const email of [other.email, nobody]) await siege(email);
    const forged = [
      device.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      device.replace(`_${user.id}=`, `_${other.id}=`),
      `byeol_device_${user.id}=`,
    ];
    for (const cookie of forged)
      for (const email of [user.email, other.email, nobody])
        expect([cookie, email, (await knowing(cookie, password, email)).status]).toEqual([
          cookie,
          email,
          429,
        ]);

    // A stolen cookie is worth no more tries than a stranger has: 25 an hour.
    await untilWindowHas(20, 3_600);
    const [nonce = ''] = device.slice(device.indexOf('=') + 1).split('.');
    await countBefore(`login-tries:${hashToken(`${user.email}${nonce}`)}`, 23, 3_600);
    for (let count = 0; count < 2; count++) expect((await knowing(device, 'wrong')).status).toBe(401);
    expect((await knowing(device)).status).toBe(429);
    expect((await knowing(deviceOf(inside))).status).toBe(200);

    const change = {
      currentPassword: password,
      newPassword: '낮하늘의 별 73',
      confirmPassword: '낮하늘의 별 73',
    };
    const changed = await put(change, bearer(token));
    expect((await knowing(deviceOf(inside), change.newPassword)).status).toBe(429);
    expect((await knowing(deviceOf(changed), change.newPassword)).status).toBe(200);
  });

  test('sets a cookie for https only where the site is', async () => {
    const before = config();
    setConfig({ ...before, siteUrl: 'https://byeol.example' });
    const { headers } = await register({}, { origin: 'https://byeol.example' });
    setConfig(before);
    for (const cookie of headers.getSetCookie())
      expect(cookie).toMatch(/; SameSite=(?:Lax; Max-Age=2592000|Strict; Max-Age=31536000); Secure$/);
  });
});

describe('me', () => {
  test('is 401 without a live session and never shared', async () => {
    for (const headers of [{}, bearer('f'.repeat(64)), { cookie: `${sessionCookie()}=x` }]) {
      const { status, json, headers: answerHeaders } = await me(headers);
      expect([status, json]).toEqual([401, { error: 'Log in first.', code: 'unauthenticated' }]);
      expect(answerHeaders.get('cache-control')).toBe('private, no-store');
    }
    const { token } = signedIn(await register());
    const { headers } = await me(bearer(token));
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null]);
  });

  test('lets the cookie last as long as the session', async () => {
    const { token } = signedIn(await register());
    expect((await me(bearer(token))).headers.get('set-cookie')).toContain(`${sessionCookie()}=${token}; `);
  });
});

test('the token of a form’s session is told to our own pages only', async () => {
  const { token } = signedIn(await register());
  const cookie = `${sessionCookie()}=${token}`;
  const tell = (headers: Record<string, string>) =>
    call('/api/auth/token', { method: 'POST', headers, from: from() });
  expect((await tell({ cookie, origin: own })).json).toMatchObject({ token });
  expect((await tell({ cookie, origin: 'https://evil.example' })).status).toBe(403);
  expect((await tell({ cookie })).status).toBe(403);
  expect((await tell({})).status).toBe(401);
  expect((await call('/api/auth/token', { headers: { cookie } })).status).toBe(405);
});

describe('logging out', () => {
  test('ends this session on the server and no other, and a repeat is no mistake', async () => {
    const { token, user } = signedIn(await register());
    const other = signedIn(await logIn(user.email)).token;
    const out = await call('/api/auth/logout', { method: 'POST', headers: bearer(token), from: from() });
    expect([out.status, out.json]).toEqual([200, { loggedOut: true }]);
    expect(out.headers.get('set-cookie')).toContain(`${sessionCookie()}=; `);
    expect((await me(bearer(token))).status).toBe(401);
    expect((await me(bearer(other))).status).toBe(200);
    expect(
      (await call('/api/auth/logout', { method: 'POST', headers: bearer(token), from: from() })).status,
    ).toBe(200);
    expect((await call('/api/auth/logout', { headers: bearer(other) })).status).toBe(405);
    expect((await me(bearer(other))).status).toBe(200);
  });

  test('by the cookie alone must come from our own pages', async () => {
    const { token } = signedIn(await register());
    const cookie = `${sessionCookie()}=${token}`;
    const out = (origin: string) =>
      call('/api/auth/logout', { method: 'POST', headers: { cookie, origin }, from: from() });
    expect((await out('https://evil.example')).status).toBe(403);
    // A browser does not send the cookie along from there, and must not lose it by the answer either.
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      const headers = { [name]: value };
      const answer = await call('/api/auth/logout', { method: 'POST', headers, from: from() });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    }
    expect((await me({ cookie })).status).toBe(200);
    expect((await out(own)).status).toBe(200);
    expect((await me({ cookie })).status).toBe(401);
  });
});

describe('the profile', () => {
  test('is changed by its owner only, field by field', async () => {
    expect((await put({ displayName: 'x' }, {})).status).toBe(401);
    const { token } = signedIn(await register({ displayName: '처음' }));
    expect((await put({ language: 'vi' }, bearer(token))).json).toMatchObject({
      user: { displayName: '처음', language: 'vi' },
    });
    expect((await put({ displayName: '나중' }, bearer(token))).json).toMatchObject({
      user: { displayName: '나중', language: 'vi' },
    });
    expect((await put({ displayName: '' }, bearer(token))).json).toMatchObject({
      user: { displayName: null },
    });
    expect((await put({}, bearer(token))).status).toBe(200);
    expect(problemOf(await put([], bearer(token)))).toEqual([400, 'body', 'malformed']);
    expect(problemOf(await put({ language: 'ja' }, bearer(token)))).toEqual([400, 'language', 'invalid']);
    expect(problemOf(await put({ displayName: '운영자' }, bearer(token)))[2]).toBe('display_name_reserved');
    expect(
      (
        await put(
          { displayName: 'x' },
          { cookie: `${sessionCookie()}=${token}`, origin: 'https://evil.example' },
        )
      ).status,
    ).toBe(403);
  });

  test('gets a new password for the current one, which ends the other sessions', async () => {
    const { token, user } = signedIn(await register());
    const other = signedIn(await logIn(user.email)).token;
    const fresh = '새벽 세 시의 별';
    const change = (body: Record<string, unknown>) =>
      put({ currentPassword: password, newPassword: fresh, ...body }, bearer(token));
    expect(problemOf(await change({ currentPassword: 'wrong one' }))).toEqual([
      400,
      'currentPassword',
      'password_wrong',
    ]);
    expect(problemOf(await change({ currentPassword: '' }))).toEqual([400, 'currentPassword', 'required']);
    expect(problemOf(await change({ newPassword: 'abc' }))).toEqual([400, 'newPassword', 'password_short']);
    expect(problemOf(await change({ newPassword: 'password1' }))).toEqual([
      400,
      'newPassword',
      'password_common',
    ]);
    expect(problemOf(await change({ confirmPassword: 'another' }))).toEqual([
      400,
      'confirmPassword',
      'password_mismatch',
    ]);
    expect((await me(bearer(other))).status).toBe(200);
    expect((await change({ confirmPassword: fresh })).status).toBe(200);
    expect((await me(bearer(token))).status).toBe(200);
    expect((await me(bearer(other))).status).toBe(401);
    expect((await logIn(user.email)).status).toBe(401);
    expect((await logIn(user.email, fresh)).status).toBe(200);
    expect((await logIn(user.email, fresh.normalize('NFD'))).status).toBe(200);
  });

  test('answers a repeated change of password as done', async () => {
    const { token, user } = signedIn(await register());
    const change = { currentPassword: password, newPassword: '새벽 네 시의 별' };
    await put(change, bearer(token));
    const again = await put({ ...change, displayName: '네 시' }, bearer(token));
    expect([again.status, again.json]).toMatchObject([200, { user: { displayName: '네 시' } }]);
    expect(again.headers.getSetCookie()[0]).toContain(`_device_${user.id}=`);
    expect((await logIn(user.email, change.newPassword)).status).toBe(200);
  });

  test('does not let a stolen session guess the password', async () => {
    const { token } = signedIn(await register());
    await untilWindowHas(20, 3_600);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      statuses.push(
        (await put({ currentPassword: `guess ${count}`, newPassword: 'a fresh one' }, bearer(token))).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    // A new password that may be the present one is a guess as well.
    const { token: another } = signedIn(await register());
    for (const newPassword of ['a fresh one', password])
      expect((await put({ currentPassword: 'a guess', newPassword }, bearer(another))).status).toBe(400);
  });

  test('of two password changes at once one wins', async () => {
    const { token, user } = signedIn(await register());
    const secrets = ['first of two', 'second of two'];
    const answers = await Promise.all(
      secrets.map((newPassword) => put({ currentPassword: password, newPassword }, bearer(token))),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    const winner = secrets[answers.findIndex(({ status }) => status === 200)];
    expect((await logIn(user.email, winner)).status).toBe(200);
  });
});

describe('the own data', () => {
  const ask = (path: string, token: string, init: RequestInit = {}) =>
    call(`/api/auth${path}`, { ...init, headers: { ...init.headers, ...bearer(token) }, from: from() });
  const devicesOf = async (token: string) => {
    const { devices } = (await ask('/sessions', token)).json as {
      devices: { id: string; current: boolean; userAgent: string | null; address: string | null }[];
    };
    return devices;
  };

  test('shows the devices, and logs out one or all', async () => {
    const { token, user } = signedIn(await register({}, { 'user-agent': 'First/1' }));
    const second = signedIn(
      await post(
        '/api/auth/login',
        { email: user.email, password },
        { 'user-agent': 'Second/2' },
        '203.0.113.7',
      ),
    ).token;
    const devices = await devicesOf(token);
    expect(devices.map(({ userAgent, current }) => [userAgent, current])).toEqual([
      ['Second/2', false],
      ['First/1', true],
    ]);
    expect(devices[0]?.address).toBe('203.0.113.7');
    expect(JSON.stringify(devices)).not.toContain(hashToken(second));
    const stranger = signedIn(await register()).token;
    expect((await ask(`/sessions/${devices[0]?.id}`, stranger, { method: 'DELETE' })).status).toBe(404);
    expect((await ask('/sessions/%25', token, { method: 'DELETE' })).status).toBe(404);
    expect((await me(bearer(second))).status).toBe(200);
    expect((await ask(`/sessions/${devices[0]?.id}`, token, { method: 'DELETE' })).status).toBe(200);
    expect([(await me(bearer(second))).status, (await me(bearer(token))).status]).toEqual([401, 200]);
    const third = signedIn(await logIn(user.email)).token;
    expect((await ask('/sessions', token, { method: 'DELETE' })).status).toBe(200);
    expect([(await me(bearer(third))).status, (await me(bearer(token))).status]).toEqual([401, 401]);
    expect((await me(bearer(stranger))).status).toBe(200);
  });
});

test('an operator’s password with Hangul opens the door, however it was typed', async () => {
  const account = {
    username: 'operator_of_it',
    email: 'op@byeol.example',
    displayName: 'Op',
    role: 'admin',
    language: 'ko',
  } as const;
  await createAccount({ ...account, password: '관리자 비밀번호'.normalize('NFD') });
  expect((await logIn('op@byeol.example', '관리자 비밀번호')).status).toBe(200);
});

/** What is told from now on to be out of date: what tests before this one left to be told later is heard before. */
async function hearTags(): Promise<{ heard: string[]; end: () => Promise<void> }> {
  const heard: string[] = [];
  const end = await onInvalidation(
    (tags) => heard.push(...tags),
    () => {},
  );
  await flushThrottled();
  await invalidate(['manifest']);
  await until(() => heard.includes('manifest'));
  heard.length = 0;
  return { heard, end };
}

describe('following a star', () => {
  const follow = (
    star: number | string,
    token: string | undefined,
    body: unknown = { followType: 'follow' },
  ) => post(`/api/stars/${star}/follow`, body, token ? bearer(token) : {});

  test('toggles as the specification says, or does as told however often', async () => {
    const star = await makeStar();
    const { token } = await makeFan();
    expect((await follow(star, token)).json).toEqual({ isFollowing: true, followerCount: 1 });
    expect((await follow(star, token)).json).toEqual({ isFollowing: false, followerCount: 0 });
    for (const following of [true, true, false, false]) {
      expect((await follow(star, token, { followType: 'follow', following })).json).toEqual({
        isFollowing: following,
        followerCount: Number(following),
      });
      expect((await follow(star, token, { following })).json).toMatchObject({ isFollowing: following });
    }
  });

  test('counts exactly when many press at once', async () => {
    const star = await makeStar();
    const fans = await Promise.all(Array.from({ length: 8 }, () => makeFan()));
    const body = { following: true };
    await Promise.all([...fans, ...fans].map(({ token }) => follow(star, token, body)));
    // Who waited for the counter for 0.7 s, as on a busy machine, left it to the job.
    await countLateFollows();
    const { json } = await call(`/api/stars/${star}/profile`, { headers: bearer(fans[0]?.token ?? '') });
    expect(json).toMatchObject({ followerCount: 8, isFollowing: true });
  });

  test('needs a session, a star and the right body', async () => {
    const star = await makeStar();
    const { token } = await makeFan();
    expect((await follow(star, undefined)).status).toBe(401);
    expect((await follow(2_000_000_000, token)).status).toBe(404);
    expect((await follow('abc', token)).status).toBe(404);
    for (const body of [undefined, {}, { followType: 'like' }, { followType: 'follow', following: 'yes' }]) {
      expect((await post(`/api/stars/${star}/follow`, body, bearer(token))).status).toBe(400);
    }
    const foreign = await post(
      `/api/stars/${star}/follow`,
      { followType: 'follow' },
      { cookie: `${sessionCookie()}=${token}`, origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect((await call(`/api/stars/${star}/profile`)).json).toMatchObject({ followerCount: 0 });
  });

  test('makes the star’s page new, and only when something changed', async () => {
    const star = await makeStar();
    const { token } = await makeFan();
    const { heard, end } = await hearTags();
    await follow(star, token, { followType: 'follow', following: false });
    await follow(star, token, { followType: 'follow', following: true });
    const own = () => heard.filter((tag) => tag === `star:${star}`);
    await until(() => own().length > 0);
    await end();
    expect(own()).toHaveLength(1);
  });

  test('tells the pages that quote the visitor about a new name, and no others', async () => {
    const { id, token } = await makeFan();
    const [star] = [await makeChannel(), await makeChannel({ members: [id] })];
    await connection()`insert into messages (channel_id, user_id, content)
      select id, ${id}, '안녕' from channels where star_id = ${star}`;
    const { heard, end } = await hearTags();
    await put({ language: 'vi' }, bearer(token));
    await put({ displayName: '새 이름' }, bearer(token));
    await until(() => heard.length > 0);
    await end();
    expect(heard).toEqual([`channel:${star}`, 'channels', 'talk']);
  });
});

test('the calls are described for programs', async () => {
  const { json } = await call('/api/openapi');
  const { paths } = json as {
    paths: Record<string, Record<string, { security?: unknown; responses: object }>>;
  };
  const described = Object.entries({
    '/api/auth/register': 'post',
    '/api/auth/login': 'post',
    '/api/auth/me': 'get',
    '/api/auth/profile': 'put',
    '/api/auth/logout': 'post',
    '/api/auth/token': 'post',
    '/api/stars/{id}/follow': 'post',
  }).map(([path, method]) => [path, Object.keys(paths[path]?.[method]?.responses ?? {}).includes('200')]);
  expect(described.every(([, there]) => there)).toBe(true);
});
