import { log } from '#db/log.ts';
import { findAddressee, insertToken } from '#db/queries/accounts/tokens.ts';
import type { TokenKind } from '#db/schema/accounts.ts';
import { config } from '../config.ts';
import { defineJob } from '../jobs/jobs.ts';
import { areaWords } from '../language/words.ts';
import { writeLetter } from '../mail/letter.ts';
import { MailNotSent, sendMail } from '../mail/mail.ts';
import { countOrRefuse } from '../plugins/rate-limits.ts';
import { hashToken, newToken } from '../plugins/session.ts';

/** Minutes for which the link of a letter works, from when the letter is sent. */
const tokenMinutes: Record<TokenKind, number> = { reset: 60, verify: 48 * 60 };

/** Letters with such a link that one address of mail gets in an hour, whoever asks for them. */
const lettersAnHour = { count: 5, seconds: 3600 };

/**
 * Counts a letter by its address, not by account: an account that ends leaves its address to the next one at once.
 * @throws TooManyRequests
 */
export const countLetter = (kind: TokenKind, emailKey: string): Promise<void> =>
  countOrRefuse({ name: `letter-${kind}`, ...lettersAnHour }, `mail:${hashToken(emailKey)}`);

interface AccountLetter {
  kind: TokenKind | 'changed';
  /** Whose account; or */
  userId?: number;
  /** the folded form of an address that somebody typed, whether there is such an account or not. */
  emailKey?: string;
}

/**
 * A letter about an account, in that person's language. It is queued by the same commit as its cause, so that a crash
 * loses none; the token is made when the letter is written, so that nothing but the letter holds it.
 */
export const accountLetter = defineJob<AccountLetter>({
  name: 'account-letter',
  retryLimit: 12,
  retryDelay: 10,
  timeout: 90,
  concurrency: 2,
  // An address of mail that somebody typed, or that belongs to an account which is gone by then.
  retentionSeconds: 3600,
  async handle({ kind, userId, emailKey }, { id }) {
    const person = await findAddressee({ userId, emailKey });
    if (!person || (kind === 'verify' && person.verified)) return;
    const link = await linkOf(kind, person);
    const { language, username } = person;
    const t = areaWords(language, 'mail');
    const letter = writeLetter({
      language,
      title: t(`mail:${kind}Title`),
      paragraphs: [t(`mail:${kind}Text`, { username })],
      action: { label: t(`mail:${kind}Action`), url: link },
      note: t(`mail:${kind}Note`, { minutes: tokenMinutes.reset, hours: tokenMinutes.verify / 60 }),
    });
    try {
      const key = `${kind}-${person.id}-${id}`;
      const { email: to, id: account } = person;
      await sendMail({ to, account, language, subject: t(`mail:${kind}Subject`), ...letter, key });
    } catch (error) {
      if (!(error instanceof MailNotSent && error.permanent)) throw error;
      log.error({ err: error, kind, account: person.id }, 'a letter is given up');
    }
  },
});

/** Where the letter's one button leads. Opening it changes nothing: a form there does. */
async function linkOf(
  kind: AccountLetter['kind'],
  { id, emailKey, language }: { id: number; emailKey: string; language: string },
): Promise<string> {
  const page = `${config().siteUrl}/login`;
  if (kind === 'changed') return `${page}/forgot?lang=${language}`;
  const token = newToken();
  await insertToken({ hash: hashToken(token), userId: id, kind, emailKey, minutes: tokenMinutes[kind] });
  return `${page}/${kind}?lang=${language}&token=${token}`;
}
