import { describe, expect, test } from 'bun:test';
import { onInvalidation } from '#api/invalidation.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { hashToken } from '#api/plugins/session.ts';
import type { Tag } from '#api/tags.ts';
import { connection } from '#db/client.ts';
import type { Role } from '#db/schema/accounts.ts';
import { root } from '#site/launch/root.ts';
import { answerOutsideAstro } from '#site/lib/http/outside-astro.ts';
import { bearer, call, sending } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { environment } from '#tests/kit/environment.ts';
import { makeFan, makeStar } from '#tests/kit/make.ts';
import { runToEnd } from '#tests/kit/run-program.ts';
import { until } from '#tests/kit/until.ts';

const own = useDatabase();

/** `bun run admin …` as the operator types it. */
async function command(...words: string[]): Promise<{ code: number; output: string }> {
  const typed = [process.execPath, 'api/accounts/admin-command.ts', ...words];
  const { code, output, errors } = await runToEnd(typed, { DATABASE_URL: own.url, NODE_ENV: 'test' });
  return { code, output: `${output}${errors}`.trim() };
}

/** The same at a terminal, where it asks for the password. */
async function commandTyping(
  password: string,
  ...words: string[]
): Promise<{ code: number; output: string }> {
  const decoder = new TextDecoder();
  let output = '';
  let isTyped = false;
  const child = Bun.spawn([process.execPath, 'api/accounts/admin-command.ts', ...words], {
    cwd: root,
    env: environment({ DATABASE_URL: own.url, NODE_ENV: 'test' }),
    terminal: {
      data(terminal, bytes) {
        output += decoder.decode(bytes, { stream: true });
        if (isTyped || !output.includes('New password')) return;
        isTyped = true;
        terminal.write(`${password}\n`);
      },
    },
  });
  const code = await child.exited;
  child.terminal?.close();
  return { code, output };
}

let serial = 0;
async function makePerson(role: Role = 'user') {
  const person = await makeFan({ role });
  const email = `person${++serial}@byeol.example`;
  await connection()`update users set email = ${email}, email_key = ${email} where id = ${person.id}`;
  return { ...person, email };
}
const roleOf = async (id: number) =>
  (await connection()<{ role: string }[]>`select role from users where id = ${id}`)[0]?.role;
const logOf = (id: number) => connection()<{ actor: number | null; details: object }[]>`
  select actor_id as actor, details from audit_log where action = 'user.role' and subject_id = ${id} order by id`;

describe('roles are set by the operator at the command line', () => {
  test('who gets one may do its work at once; every change is in the log', async () => {
    const boss = await makePerson('admin');
    const fan = await makePerson();
    const stats = async () => (await call('/api/admin/stats', { headers: bearer(fan.token) })).status;
    expect(await stats()).toBe(403);
    const result = await command(fan.email.toUpperCase(), '--role', 'editor');
    expect(result.output).toEndWith(`(${fan.email.toUpperCase()}) has the role editor.`);
    expect([result.code, await stats(), await roleOf(fan.id)]).toEqual([0, 200, 'editor']);
    expect((await command(fan.email, '--role=user')).code).toBe(0);
    expect([await stats(), await roleOf(boss.id)]).toEqual([403, 'admin']);
    expect([...(await logOf(fan.id))]).toMatchObject([
      { actor: null, details: { from: 'user', to: 'editor' } },
      { actor: null, details: { from: 'editor', to: 'user' } },
    ]);
  }, 600_000);

  test('a folder without a site is told: an operator may have forgotten where the site is', async () => {
    const DATA_DIR = '/dev/null/byeol';
    const typed = [process.execPath, 'api/accounts/admin-command.ts', 'boss@byeol.example'];
    const { code, errors } = await runToEnd(typed, { DATA_DIR, NODE_ENV: 'test' });
    expect(code).toBe(1);
    expect(errors).toStartWith(
      `There is no site in DATA_DIR ${DATA_DIR} yet: a new one is made there. If yours is elsewhere, set DATA_DIR or DATABASE_URL.\n`,
    );
  }, 600_000);

  test('a second admin takes nothing from the first: a username that is another’s is refused', async () => {
    const boss = await makePerson('admin');
    const [{ username } = { username: '' }] = await connection()<{ username: string }[]>`
      select username from users where id = ${boss.id}`;
    const refused = await command('second@byeol.example', username);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining(`The username ${username} is another’s`),
    ]);
    const mails =
      await connection()`select email from users where id = ${boss.id} or email = 'second@byeol.example'`;
    expect([...mails]).toEqual([{ email: boss.email }]);
    expect((await command('second@byeol.example', 'second_desk')).code).toBe(0);
    await connection()`update users set role = 'user' where id = ${boss.id} or username = 'second_desk'`;
  }, 600_000);

  test('an admin gets the letters in the language that the command names, else in Korean', async () => {
    const languageOf = async (email: string) =>
      (await connection()<{ language: string }[]>`select language from users where email = ${email}`)[0]
        ?.language;
    const email = 'letters@byeol.example';
    expect((await command(email, 'letters', '--lang', 'ms')).code).toBe(0);
    expect(await languageOf(email)).toBe('ms');
    expect((await command(email)).code).toBe(0);
    expect(await languageOf(email)).toBe('ms');
    // A username is for a new account: whoever says another is told that it stays.
    const renamed = await command(email, 'other', '--lang', 'vi');
    expect(renamed.output).toStartWith(
      `letters (${email}) is an admin.\nIts username stays letters: other would be that of a new account.`,
    );
    expect(renamed.code).toBe(0);
    expect((await command(email, 'letters')).output).not.toContain('stays');
    expect(await languageOf(email)).toBe('vi');
    expect((await command('plain@byeol.example', 'plain')).code).toBe(0);
    expect(await languageOf('plain@byeol.example')).toBe('ko');
    expect((await command(email, '--lang', 'xx')).output).toStartWith(
      'There is no language “xx” here: say one of ko,',
    );
    const both = await command(email, '--lang', 'en', '--role', 'editor');
    expect(both.output).toStartWith('A role is all that --role gives');
    // Of an admin only the language changes: nobody is signed out by it.
    const password = async () =>
      (await connection()`select password_hash from users where email = ${email}`)[0]?.password_hash;
    const before = await password();
    expect((await command(email, '--lang', 'en')).output).toStartWith(
      `letters (${email}) gets letters in en.`,
    );
    expect([await languageOf(email), (await password()) === before]).toEqual(['en', true]);
    const short = await command('short@byeol.example', 'ab');
    expect([short.code, short.output]).toEqual([
      1,
      'The username ab cannot be taken: must have at least 3 characters.',
    ]);
    await connection()`update users set role = 'user' where username in ('letters', 'plain')`;
  }, 600_000);

  test('a password that is typed for one is not easily guessed', async () => {
    const { id, email } = await makePerson();
    for (const password of ['password', 'qwerty12', email]) {
      const { code, output } = await commandTyping(password, email);
      expect([code, output]).toEqual([1, expect.stringContaining('This password is easily guessed')]);
    }
    expect((await commandTyping('short', email)).output).toContain('must have 6 to 128 characters.');
    expect(await roleOf(id)).toBe('user');
    expect(await commandTyping('seven-moons', email)).toMatchObject({ code: 0 });
    expect(await roleOf(id)).toBe('admin');
    await connection()`update users set role = 'user' where id = ${id}`;
  }, 600_000);

  test('a new password ends what the old one opened, and the pause of an account that others guess at', async () => {
    const { id, email, token } = await makePerson();
    const { json } = await call('/api/calendar/link', { method: 'POST', headers: bearer(token) });
    const { url } = json as { url: string };
    const readCalendar = async () => {
      const request = new Request(url);
      registerConnection(request, '192.0.2.78');
      return (await answerOutsideAstro(request, new URL(url).pathname))?.status;
    };
    expect(await readCalendar()).toBe(200);
    const letter = 'b'.repeat(64);
    await connection()`insert into account_tokens (hash, user_id, kind, email_key, expires_at)
      values (${hashToken(letter)}, ${id}, 'reset', ${email}, now() + interval '1 hour')`;
    await connection()`insert into rate_limits (key, window_start)
      values (${`login-pause:${hashToken(email)}`}, now() + interval '15 minutes')`;
    const { code, output } = await command(email);
    const password = output.match(/only this once: (\S+)/)?.[1] ?? '';
    expect([code, await readCalendar()]).toEqual([0, 404]);
    expect((await call('/api/auth/me', { headers: bearer(token) })).status).toBe(401);
    const reset = { token: letter, newPassword: 'seven-moons', confirmPassword: 'seven-moons' };
    expect((await call('/api/auth/reset', sending(reset))).json).toMatchObject({ code: 'token_invalid' });
    expect((await call('/api/auth/login', sending({ email, password }))).status).toBe(200);
    await connection()`update users set role = 'user' where id = ${id}`;
  }, 600_000);

  test('a new role invalidates the channels in which its holder wrote', async () => {
    const fan = await makePerson();
    const star = await makeStar();
    const [channel] = await connection()<{ id: number }[]>`
      insert into channels (star_id) values (${star}) returning id`;
    await connection()`insert into messages (channel_id, user_id, content) values (${channel?.id ?? 0}, ${fan.id}, 'Hi')`;
    const told: Tag[] = [];
    const ignore = await onInvalidation(
      (tags) => void told.push(...tags),
      () => {},
    );
    expect((await command(fan.email, '--role', 'editor')).code).toBe(0);
    await until(() => told.includes(`channel:${star}`));
    await ignore();
  });

  test('the last admin stays one, nobody is made up, and no other role is known', async () => {
    await connection()`update users set role = 'user' where role = 'admin'`;
    const { id, email } = await makePerson('admin');
    expect(await command(email, '--role', 'user')).toEqual({
      code: 1,
      output: 'The last admin must stay one.',
    });
    expect(await roleOf(id)).toBe('admin');
    expect(await command('nobody@byeol.example', '--role', 'editor')).toEqual({
      code: 1,
      output: 'Nobody has the e-mail address nobody@byeol.example.',
    });
    expect(await command(email, '--role', 'king')).toEqual({
      code: 1,
      output: 'There is no role “king” here: say one of user, editor, admin.',
    });
  }, 600_000);

  test('nobody becomes one with an address that registration refuses', async () => {
    for (const email of ['a@b.c>', '"<script>"@b.c', "a@b.c';", 'a@127.0.0.1'])
      expect(await command(email, 'odd')).toEqual({
        code: 1,
        output: `Nobody can have the e-mail address ${email}: registration would refuse it.`,
      });
    expect([...(await connection()`select id from users where username = 'odd'`)]).toEqual([]);
  }, 600_000);

  test('no call gives one: not an admin’s, and not by a field that nobody asked for', async () => {
    const [fan, admin] = [await makePerson(), await makePerson('admin')];
    const send = async (method: string, path: string, body: object, token: string) => {
      const init = sending(body, method);
      return (await call(path, { ...init, headers: { ...init.headers, ...bearer(token) } })).status;
    };
    for (const path of [`/api/admin/users/${fan.id}/role`, `/api/admin/users/${fan.id}`])
      for (const method of ['PUT', 'POST', 'PATCH'])
        expect([404, 405]).toContain(await send(method, path, { role: 'admin' }, admin.token));
    const fields = { displayName: '별지기', role: 'admin', isAdmin: true, roles: ['admin'] };
    expect(await send('PUT', '/api/auth/profile', fields, fan.token)).toBe(200);
    const registered = await call(
      '/api/auth/register',
      sending({
        email: 'new@byeol.example',
        username: '새별지기',
        password: 'starry-night-72',
        confirmPassword: 'starry-night-72',
        role: 'admin',
      }),
    );
    expect(registered.json).toMatchObject({ user: { role: 'user' } });
    expect(await roleOf(fan.id)).toBe('user');
  });
});
