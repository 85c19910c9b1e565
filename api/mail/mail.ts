import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { writeDurably } from '#db/durable-file.ts';
import { log } from '#db/log.ts';
import { type Config, config } from '../config.ts';
import { letterFile, outboxOf } from './outbox.ts';

/** One letter to one person. */
export interface Mail {
  /** An address as an account holds it. */
  to: string;
  /** The account's number. */
  account: number;
  language: Lang;
  subject: string;
  text: string;
  html?: string;
  /** Names what this letter is about; the same key is the same letter, however often it is tried. */
  key: string;
}

/** The letter did not leave; `permanent`: trying again cannot help (the address or the letter was refused). */
export class MailNotSent extends Error {
  readonly code = 'mail_not_sent';
  constructor(
    readonly permanent: boolean,
    options: ErrorOptions,
  ) {
    const { cause } = options;
    super(`Mail not sent: ${cause instanceof Error ? cause.message : String(cause)}`, options);
  }
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Sends a letter by SMTP_URL; without one it becomes a file of the outbox in DATA_DIR and the log names it. The key makes
 * the Message-ID and the file's name, so that a letter which is sent again after a crash is the same letter to a mailbox.
 * @throws MailNotSent
 */
export async function sendMail(mail: Mail): Promise<void> {
  const settings = config();
  try {
    if (!singleAddress.test(mail.to)) throw new InvalidAddress();
    if (settings.smtpUrl) await sendBySmtp(letterOf(mail, settings), settings.smtpUrl);
    else await putIntoOutbox(mail, settings);
  } catch (error) {
    throw new MailNotSent(isPermanent(error), { cause: error });
  }
}

/** Mail programs read signs such as commas as the end of an address, even in an envelope: such a one would be two. */
const singleAddress = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;

class InvalidAddress extends Error {
  override readonly message = 'the address cannot be written in an envelope';
}

/** The server's 5xx but for a wrong login, which an operator mends; or an address that is none. */
function isPermanent(error: unknown): boolean {
  if (error instanceof InvalidAddress) return true;
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  return status >= 500 && status < 600 && status !== 530 && status !== 535;
}

function letterOf({ to, language, subject, text, html, key }: Mail, { mailFrom, siteUrl }: Config) {
  return {
    from: { name: site.name, address: mailFrom },
    to: { name: '', address: to },
    envelope: { from: mailFrom, to: [to] },
    subject,
    text,
    ...(html ? { html } : {}),
    messageId: `<${fingerprint(key)}@${new URL(siteUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const fingerprint = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex').slice(0, 32);

/** Loaded with the first letter: most processes send none, and need its memory for pages. */
const loadMailer = () => import('nodemailer');

async function sendBySmtp(letter: ReturnType<typeof letterOf>, url: string): Promise<void> {
  const { createTransport } = await loadMailer();
  const transport = createTransport({ ...timeouts, url });
  try {
    await transport.sendMail(letter);
  } finally {
    transport.close();
  }
}

async function putIntoOutbox(mail: Mail, settings: Config): Promise<void> {
  const { createTransport } = await loadMailer();
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await transport.sendMail(letterOf(mail, settings));
  const folder = outboxOf(settings);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = mail.key.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 60);
  const file = join(folder, letterFile(`${name}-${fingerprint(mail.key).slice(0, 8)}`, mail.account));
  await writeDurably(`${file}.${process.pid}.part`, file, message);
  log.info({ file }, 'a letter is in the outbox');
}
