import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { accountLetter } from '#api/accounts/letters.ts';
import { config, setConfig } from '#api/config.ts';
import { startJobs, stopJobs } from '#api/jobs/jobs.ts';
import { hashToken } from '#api/plugins/session.ts';
import { connection } from '#db/client.ts';
import { hashPassword } from '#db/password.ts';
import { type Answer, answerOf, bearer, call, sending, typedCall } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { type MailServer, type Received, startMailServer, textOf } from '#tests/kit/mail-server.ts';
import { countBefore, untilWindowHas } from '#tests/kit/rate-windows.ts';
import { until } from '#tests/kit/until.ts';

useDatabase({ patient: true });
// Passwords are slow to hash on purpose, and slower on a busy machine.
setDefaultTimeout(300_000);

const password = '밤하늘의 별 72';
const fresh = '새벽의 별 1004';
let server: MailServer;
let serial = 0;

beforeAll(async () => {
  server = await startMailServer();
  setConfig({ ...config(), smtpUrl: server.url });
  await startJobs([accountLetter]);
});
beforeEach(async () => {
  await connection()`delete from rate_limits`;
});
afterAll(async () => {
  await stopJobs();
  await server.stop();
});

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) => {
  serial += 1;
  const from = `10.2.${Math.floor(serial / 250)}.${serial % 250}`;
  const { headers: type, ...init } = sending(body);
  return call(`/api/auth${path}`, { ...init, headers: { ...type, ...headers }, from });
};
const fails = ({ status, json }: Answer) => {
  const { field, code } = json as { field?: string; code?: string };
  return [status, code, field];
};

interface Fan {
  email: string;
  username: string;
  token: string;
}

async function newFan(language = 'en'): Promise<Fan> {
  serial += 1;
  const fan = { email: `reader${serial}@byeol.example`, username: `reader_${serial}` };
  const answer = await post('/register', { ...fan, password, confirmPassword: password, language });
  expect(answer.status).toBe(200);
  return { ...fan, token: (answer.json as { token: string }).token };
}

const logIn = ({ email }: Fan, secret: string) => post('/login', { email, password: secret });

/** The letter to an address whose subject says this, once it is there. */
async function letterTo(email: string, subject: RegExp, earlier = 0): Promise<Received> {
  const find = () =>
    server.received.filter(({ to, text }) => to[0] === email && subject.test(subjectOf(text)))[earlier];
  await until(() => find() !== undefined, 60_000);
  const letter = find();
  if (!letter) throw new Error(`no letter to ${email}`);
  return letter;
}

function subjectOf(text: string): string {
  const folded = text.match(/^Subject: ((?:.*\r?\n[ \t])*.*)/m)?.[1] ?? '';
  return folded
    .replace(/\?=\r?\n[ \t]+=\?/g, '?==?')
    .replace(/\r?\n[ \t]/g, ' ')
    .replace(/=\?utf-8\?(b|q)\?(.*?)\?=/gi, (_, kind: string, coded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString('utf8')
        : Buffer.from(
            coded
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString('utf8'),
    );
}

const linkIn = ({ text }: Received) => new URL(textOf(text).match(/http\S+/)?.[0] ?? '');
const tokenIn = (letter: Received) => linkIn(letter).searchParams.get('token') ?? '';

async function resetLetter(fan: Fan): Promise<string> {
  expect((await post('/forgot', { email: fan.email })).status).toBe(200);
  return tokenIn(await letterTo(fan.email, /new Byeol password/));
}

const reset = (token: string, newPassword = fresh, confirmPassword = newPassword) =>
  post('/reset', { token, newPassword, confirmPassword });

describe('a forgotten password', () => {
  test('is replaced by the link of a letter, once; every device is logged out and the person is told', async () => {
    const fan = await newFan();
    const other = (await logIn(fan, password)).json as { token: string };
    const token = await resetLetter(fan);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await reset(token)).json).toEqual({ reset: true });
    for (const session of [fan.token, other.token]) {
      expect((await call('/api/auth/me', { headers: bearer(session) })).status).toBe(401);
    }
    expect((await logIn(fan, password)).status).toBe(401);
    const back = await logIn(fan, fresh);
    expect(back.json).toMatchObject({ user: { emailVerified: true } });
    expect(fails(await reset(token, '또 다른 비밀번호'))).toEqual([400, 'token_invalid', 'token']);
    expect((await logIn(fan, fresh)).status).toBe(200);
    const notice = await letterTo(fan.email, /was changed/);
    expect(linkIn(notice).pathname).toBe('/login/forgot');
  });

  test('is asked for alike with known and unknown addresses', async () => {
    const { email } = await newFan();
    const answers = [];
    for (const address of [email, 'nobody@byeol.example', ` ${email.toUpperCase()} `]) {
      const { status, text, headers } = await post('/forgot', { email: address });
      answers.push([status, text, [...headers.keys()].sort().join()]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(fails(await post('/forgot', { email: 'no address' }))).toEqual([400, 'email_form', 'email']);
    expect(fails(await post('/forgot', { email: '' }))).toEqual([400, 'required', 'email']);
  });

  test('takes the same work for known and unknown addresses: one job, and nothing is looked up', async () => {
    const { email } = await newFan();
    const work = async (address: string) => {
      await post('/forgot', { email: address });
      const [row] = await connection()<{ count: number }[]>`
        select count(*)::int as count from pgboss.job where name = 'account-letter' and data->>'emailKey' = ${address}`;
      return row?.count;
    };
    expect([await work(email), await work('stranger@byeol.example')]).toEqual([1, 1]);
  });

  test('is asked for at most five times an hour for an address of mail, and twenty times by an address', async () => {
    const ask = (email: string, from: string) =>
      call('/api/auth/forgot', { ...sending({ email }), from }).then(({ status }) => status);
    const statuses = [];
    await untilWindowHas(10, 3600);
    for (let n = 0; n < 6; n += 1) statuses.push(await ask('flooded@byeol.example', `10.9.0.${n}`));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await ask('FLOODED@byeol.example', '10.9.1.1')).toBe(429);
    const many = [];
    await untilWindowHas(5, 120);
    for (let n = 0; n < 21; n += 1) many.push(await ask(`many${n}@byeol.example`, '10.9.2.2'));
    expect(many.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(many[20]).toBe(429);
  });

  test('is written about in the language of the account', async () => {
    const fan = await newFan('vi');
    await post('/forgot', { email: fan.email });
    const letter = await letterTo(fan.email, /Đặt mật khẩu mới/);
    expect(linkIn(letter).searchParams.get('lang')).toBe('vi');
    expect(textOf(letter.text)).toContain(fan.username);
  });

  test('needs a password that is allowed, and a wrong one does not use the link up', async () => {
    const fan = await newFan();
    const token = await resetLetter(fan);
    expect(fails(await reset(token, '123'))).toEqual([400, 'password_short', 'newPassword']);
    expect(fails(await reset(token, 'password'))).toEqual([400, 'password_common', 'newPassword']);
    expect(fails(await reset(token, fan.username))).toEqual([400, 'password_common', 'newPassword']);
    expect(fails(await reset(token, fresh, 'another'))).toEqual([
      400,
      'password_mismatch',
      'confirmPassword',
    ]);
    expect((await reset(token)).status).toBe(200);
  });

  test('can be replaced by one of many who use the link at the same moment', async () => {
    const fan = await newFan();
    const token = await resetLetter(fan);
    const all = await Promise.all([1, 2, 3, 4].map((n) => reset(token, `${fresh} ${n}`)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const winner = all.findIndex(({ status }) => status === 200) + 1;
    expect((await logIn(fan, `${fresh} ${winner}`)).status).toBe(200);
  });

  test('leaves no session to who logs in with the old one while it is changed', async () => {
    const fan = await newFan();
    const sessionsOf = () =>
      connection()`select from sessions join users on users.id = user_id where username = ${fan.username}`;
    const before = (await sessionsOf()).length;
    const sql = connection();
    const late = await sql.begin(async (tx) => {
      // It is idle for as long as the password is looked at.
      await tx`set local idle_in_transaction_session_timeout = 0`;
      await tx`update users set password_hash = ${await hashPassword(fresh)} where username = ${fan.username}`;
      const login = logIn(fan, password);
      await until(async () => (await sessionsOf()).length > before);
      return { login };
    });
    expect(fails(await late.login)).toEqual([401, 'login_failed', undefined]);
    expect((await sessionsOf()).length).toBe(before);
  });

  test('ends every other link, and a password changed meanwhile ends them, too', async () => {
    const fan = await newFan();
    const first = await resetLetter(fan);
    await post('/forgot', { email: fan.email });
    const second = tokenIn(await letterTo(fan.email, /new Byeol password/, 1));
    expect((await reset(first)).status).toBe(200);
    expect(fails(await reset(second))).toEqual([400, 'token_invalid', 'token']);
    const { token: session } = (await logIn(fan, fresh)).json as { token: string };
    await post('/forgot', { email: fan.email });
    const third = tokenIn(await letterTo(fan.email, /new Byeol password/, 2));
    const change = { currentPassword: fresh, newPassword: password, confirmPassword: password };
    const { headers, ...init } = sending(change, 'PUT');
    const changed = await call('/api/auth/profile', { ...init, headers: { ...headers, ...bearer(session) } });
    expect(changed.status).toBe(200);
    expect(fails(await reset(third))).toEqual([400, 'token_invalid', 'token']);
  });

  test('lets in somebody whom wrong tries had shut out', async () => {
    const fan = await newFan();
    const token = await resetLetter(fan);
    await connection()`insert into rate_limits (key, window_start)
      values (${`login-pause:${hashToken(fan.email)}`}, now() + interval '30 minutes')`;
    expect((await logIn(fan, password)).status).toBe(429);
    await reset(token);
    expect((await logIn(fan, fresh)).status).toBe(200);
  });
});

describe('a token', () => {
  test('is kept as a hash, works for an hour and for its own purpose only', async () => {
    const fan = await newFan();
    const token = await resetLetter(fan);
    const sql = connection();
    const rows = await sql<{ row: string }[]>`select account_tokens::text as row from account_tokens`;
    expect(rows.some(({ row }) => row.includes(hashToken(token)))).toBe(true);
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
    const jobs = await sql<{ data: string }[]>`select data::text as data from pgboss.job`;
    expect(jobs.some(({ data }) => data.includes(token))).toBe(false);
    expect(fails(await post('/verify', { token }))).toEqual([400, 'token_invalid', 'token']);
    const [life] = await sql<
      { minutes: number }[]
    >`select round(extract(epoch from expires_at - created_at) / 60)::int
      as minutes from account_tokens where hash = ${hashToken(token)}`;
    expect(life?.minutes).toBe(60);
    await sql`update account_tokens set expires_at = now() - interval '1 second' where hash = ${hashToken(token)}`;
    expect(fails(await reset(token))).toEqual([400, 'token_invalid', 'token']);
  });

  test('that nobody was sent opens nothing', async () => {
    for (const guess of ['', 'f'.repeat(64), 'F'.repeat(64), "' or 1=1 --", 'x'.repeat(200)]) {
      expect(fails(await reset(guess))).toEqual([400, 'token_invalid', 'token']);
      expect(fails(await post('/verify', { token: guess }))).toEqual([400, 'token_invalid', 'token']);
    }
  });

  test('ends the private calendar address, as a new password and logging out everywhere do', async () => {
    const since = async (token: string) =>
      (await answerOf(typedCall('get', '/api/calendar/link', { headers: bearer(token) }))).since;
    const change = { currentPassword: password, newPassword: fresh, confirmPassword: fresh };
    const ends: ((fan: Fan) => Promise<Answer>)[] = [
      async (fan) => reset(await resetLetter(fan)),
      ({ token }) => {
        const { headers, ...init } = sending(change, 'PUT');
        return call('/api/auth/profile', { ...init, headers: { ...headers, ...bearer(token) } });
      },
      ({ token }) => call('/api/auth/sessions', { method: 'DELETE', headers: bearer(token) }),
    ];
    for (const [index, end] of ends.entries()) {
      const fan = await newFan();
      const link = await call('/api/calendar/link', { method: 'POST', headers: bearer(fan.token) });
      expect([index, link.status, await since(fan.token)]).toEqual([index, 200, expect.any(String)]);
      expect((await end(fan)).status).toBe(200);
      const secondLogin = await logIn(fan, index === 2 ? password : fresh);
      expect([index, await since((secondLogin.json as { token: string }).token)]).toEqual([index, null]);
    }
  });

  test('of an account that is gone opens nothing', async () => {
    const fan = await newFan();
    const token = await resetLetter(fan);
    const { headers, ...init } = sending({ currentPassword: password }, 'DELETE');
    await call('/api/auth/account', { ...init, headers: { ...headers, ...bearer(fan.token) } });
    expect(fails(await reset(token))).toEqual([400, 'token_invalid', 'token']);
  });

  test('can be guessed at thirty times in five minutes from an address', async () => {
    const guess = () =>
      call('/api/auth/reset', {
        ...sending({ token: 'a'.repeat(64), newPassword: fresh, confirmPassword: fresh }),
        from: '10.8.8.8',
      });
    await untilWindowHas(5, 300);
    for (let n = 0; n < 30; n += 1) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });

  test('that is right counts for no address: fans of one carrier confirm theirs', async () => {
    const from = '10.8.8.9';
    const fan = await newFan();
    const token = tokenIn(await letterTo(fan.email, /Confirm your email/));
    await untilWindowHas(5, 300);
    await countBefore(`tokens:address:${from}`, 29, 300);
    const verify = (text: string) => call('/api/auth/verify', { ...sending({ token: text }), from });
    expect((await verify('a'.repeat(64))).status).toBe(400);
    for (let n = 0; n < 2; n += 1) expect((await verify('a'.repeat(64))).status).toBe(429);
    expect((await verify(token)).status).toBe(200);
  });

  test('is not taken from a page of another site', async () => {
    const foreign = { origin: 'https://evil.example' };
    for (const [path, body] of [
      ['/forgot', { email: 'fan@byeol.example' }],
      ['/reset', { token: 'a'.repeat(64), newPassword: fresh, confirmPassword: fresh }],
      ['/verify', { token: 'a'.repeat(64) }],
    ] as const) {
      expect((await post(path, body, foreign)).status).toBe(403);
    }
  });
});

describe('an address of mail', () => {
  test('is proven by the letter of the registration; pressed again, as the answer was lost, it is done', async () => {
    const fan = await newFan('ko');
    const me = async () => (await call('/api/auth/me', { headers: bearer(fan.token) })).json;
    expect(await me()).toMatchObject({ user: { emailVerified: false } });
    const letter = await letterTo(fan.email, /이메일 주소를 확인해 주세요/);
    expect(linkIn(letter).pathname).toBe('/login/verify');
    expect((await post('/verify', { token: tokenIn(letter) })).json).toEqual({ verified: true });
    expect(await me()).toMatchObject({ user: { emailVerified: true } });
    expect((await post('/verify', { token: tokenIn(letter) })).json).toEqual({ verified: true });
    expect(fails(await post('/verify/send', undefined, bearer(fan.token)))).toEqual([
      409,
      'verified',
      undefined,
    ]);
  });

  test('gets the letter again when the person asks for it, five in an hour with that of the registration', async () => {
    await untilWindowHas(60, 3600);
    const fan = await newFan();
    expect((await post('/verify/send')).status).toBe(401);
    await letterTo(fan.email, /Confirm your email/);
    expect((await post('/verify/send', undefined, bearer(fan.token))).json).toEqual({ sent: true });
    const newToken = tokenIn(await letterTo(fan.email, /Confirm your email/, 1));
    const statuses = [];
    for (let n = 0; n < 5; n += 1)
      statuses.push((await post('/verify/send', undefined, bearer(fan.token))).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await post('/verify', { token: newToken })).status).toBe(200);
  });

  test('gets no more of them by accounts that end and begin anew', async () => {
    await untilWindowHas(60, 3600);
    const email = 'flooded@stranger.example';
    const countLetters = async (id: number) =>
      (
        await connection()`select from pgboss.job where name = 'account-letter' and data->>'userId' = ${String(id)}`
      ).length;
    const letters = [];
    for (let n = 0; n < 6; n += 1) {
      const input = { email, username: `flooder_${n}`, password, confirmPassword: password };
      const { status, json } = await post('/register', input);
      expect(status).toBe(200);
      const { token, user } = json as { token: string; user: { id: number } };
      letters.push(await countLetters(user.id));
      if (n === 5) expect((await post('/verify/send', undefined, bearer(token))).status).toBe(429);
      const { headers, ...init } = sending({ currentPassword: password }, 'DELETE');
      const ended = await call('/api/auth/account', { ...init, headers: { ...headers, ...bearer(token) } });
      expect(ended.status).toBe(200);
    }
    expect(letters).toEqual([1, 1, 1, 1, 1, 0]);
  });

  test('gets the letter although the mail server was away, and a registration that fails sends none', async () => {
    server.refuseWith(451);
    const fan = await newFan();
    const stateOfLetter = async () =>
      (
        await connection()<{ state: string }[]>`select state from pgboss.job where name = 'account-letter'
          and data->>'userId' = (select id::text from users where username = ${fan.username})`
      )[0]?.state;
    await until(async () => (await stateOfLetter()) === 'retry', 60_000);
    server.refuseWith(undefined);
    await connection()`update pgboss.job set start_after = now() where state = 'retry'`;
    await letterTo(fan.email, /Confirm your email/);
    const count = async () =>
      (await connection()<{ n: number }[]>`select count(*)::int as n from pgboss.job`)[0]?.n;
    const before = await count();
    const body = { email: fan.email, username: 'another_one', password, confirmPassword: password };
    expect((await post('/register', body)).status).toBe(409);
    expect(await count()).toBe(before);
  });
});
