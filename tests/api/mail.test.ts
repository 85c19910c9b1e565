import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config, getConfig, setConfig } from '#api/config.ts';
import { areaWords } from '#api/language/words.ts';
import { writeLetter } from '#api/mail/letter.ts';
import { type Mail, MailNotSent, sendMail } from '#api/mail/mail.ts';
import { outboxOf } from '#api/mail/outbox.ts';
import { languages } from '#content/locales.ts';
import { recordLog } from '#tests/kit/log-lines.ts';
import { type MailServer, startMailServer, textOf } from '#tests/kit/mail-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'byeol-mail-'));
const letter: Mail = {
  to: 'fan@byeol.example',
  account: 7,
  language: 'ko',
  subject: '새 비밀번호 정하기',
  text: '별에서 온 편지예요.\n',
  html: '<p>별에서 온 편지예요.</p>',
  key: 'reset:7:1',
};
const settings = (environment: Record<string, string>) =>
  setConfig(
    getConfig({ NODE_ENV: 'test', DATA_DIR: folder, SITE_URL: 'https://byeol.example', ...environment }),
  );
const failureOf = (mail: Mail) =>
  sendMail(mail).then(
    () => undefined,
    (error: unknown) => error,
  );

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  setConfig(getConfig({ NODE_ENV: 'test' }));
});

describe('a letter by SMTP', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
    settings({ SMTP_URL: server.url });
  });
  afterEach(() => {
    server.refuseWith(undefined);
    server.received.length = 0;
  });
  afterAll(() => server.stop());

  test('arrives as it was written, from our address, marked as sent by a machine', async () => {
    await sendMail(letter);
    const [mail] = server.received;
    expect(mail?.from).toBe('no-reply@byeol.example');
    expect(mail?.to).toEqual([letter.to]);
    expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(mail?.text).toMatch(/^Content-Language: ko\r?$/m);
    expect(mail?.text).toMatch(/^Message-ID: <[0-9a-f]{32}@byeol\.example>\r?$/m);
    expect(textOf(mail?.text ?? '')).toContain('별에서 온 편지예요.');
  });

  test('that is sent again is the same letter, another one is not', async () => {
    const id = (text = '') => text.match(/^Message-ID: (.*)$/m)?.[1];
    for (const key of ['one', 'one', 'two']) await sendMail({ ...letter, key });
    const ids = server.received.map(({ text }) => id(text));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  test('goes to one person, whatever the address or the subject tries', async () => {
    await sendMail({ ...letter, subject: 'a\r\nBcc: evil@evil.example\r\n\r\nbody' });
    await failureOf({ ...letter, to: 'a@byeol.example,evil@evil.example' });
    await failureOf({ ...letter, to: 'x, evil@evil.example' });
    expect(server.received.flatMap(({ to }) => to)).not.toContain('evil@evil.example');
    for (const { text } of server.received) expect(text).not.toMatch(/^(?:Bcc|bcc):/m);
    const error = await failureOf({ ...letter, to: 'a@b.example>\r\nRCPT TO:<evil@evil.example' });
    expect(error).toBeInstanceOf(MailNotSent);
    expect(error).toMatchObject({ permanent: true });
  });

  test('that the server refuses now may be tried again, one that it refuses for good may not', async () => {
    server.refuseWith(451);
    expect(await failureOf(letter)).toMatchObject({ code: 'mail_not_sent', permanent: false });
    server.refuseWith(550);
    expect(await failureOf(letter)).toMatchObject({ code: 'mail_not_sent', permanent: true });
    expect(server.received).toEqual([]);
  });

  test('without a server there may be tried again', async () => {
    settings({ SMTP_URL: 'smtp://127.0.0.1:9' });
    expect(await failureOf(letter)).toMatchObject({ code: 'mail_not_sent', permanent: false });
    settings({ SMTP_URL: server.url });
  });
});

describe('a letter without a mail server', () => {
  test('is a file that only the owner reads, named in the log, and once whatever is repeated', async () => {
    settings({});
    const log = recordLog();
    await sendMail({ ...letter, key: '../../etc/passwd' });
    await sendMail({ ...letter, key: '../../etc/passwd' });
    log.stop();
    expect(log.lines()[0]?.file).toContain('-etc-passwd-');
    expect(log.text()).not.toContain(letter.to);
    const outbox = outboxOf(config());
    const files = readdirSync(outbox);
    expect(files).toEqual([expect.stringMatching(/^-etc-passwd-[0-9a-f]{8}\.7\.eml$/)]);
    const file = join(outbox, files[0] ?? '');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(textOf(readFileSync(file, 'utf8'))).toContain('별에서 온 편지예요.');
  });

  test('that a full disk does not take fails, and the process goes on', async () => {
    settings({});
    await sendMail({ ...letter, key: 'full' });
    const outbox = outboxOf(config());
    const written = join(outbox, readdirSync(outbox).find((name) => name.startsWith('full-')) ?? '');
    // What is written there is refused like on a disk that has no room.
    symlinkSync('/dev/full', `${written}.${process.pid}.part`);
    expect(await failureOf({ ...letter, key: 'full' })).toMatchObject({
      permanent: false,
      cause: { code: 'ENOSPC' },
    });
    // A handle that is open still would end the process now.
    Bun.gc(true);
    await Bun.sleep(0);
    Bun.gc(true);
    expect(readdirSync(outbox).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('what a letter says', () => {
  test.each([...languages])('is said in %s, as text and as HTML that runs nothing', (language) => {
    const t = areaWords(language, 'mail');
    const { text, html } = writeLetter({
      language,
      title: t('mail:resetTitle'),
      paragraphs: [t('mail:resetText', { username: '<script>' })],
      action: { label: t('mail:resetAction'), url: 'https://byeol.example/login/reset?a=1&b="2' },
      note: t('mail:resetNote', { minutes: 60 }),
    });
    expect(text).toContain('https://byeol.example/login/reset?a=1&b="2');
    expect(text + html).not.toContain('{{');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toContain('<script>');
    expect(html).not.toMatch(/src=|url\(/);
    expect(html).toContain('href="https://byeol.example/login/reset?a=1&amp;b=&quot;2"');
  });
});
