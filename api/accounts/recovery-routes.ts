import { Elysia } from 'elysia';
import { BadInput } from '../errors.ts';
import { refuseForeignOrigin } from '../plugins/origin.ts';
import { countAddress, rateLimitAddress, rateLimitWrites } from '../plugins/rate-limits.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { EmailVerification, Forgotten, LetterSent, PasswordReset, ResetDone, Verified } from './model.ts';
import { forgotPassword, resetPassword, sendVerification, verifyEmail } from './recovery.ts';

const tags = ['Accounts'];
/** Nobody sends letters to many people; but many people of one address forget. Each address of mail has its own limit. */
const limitLetters = rateLimitAddress({ name: 'letters', count: 20, seconds: 120 });
/** Wrong tokens of an address. Nobody guesses one: right ones are free, whoever else is behind the address (decision S12). */
const wrongTokens = { name: 'tokens', count: 30, seconds: 300 };

/** @throws TooManyRequests for one wrong token too many, and what the attempt throws */
async function countWrongTokens(request: Request, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    const isWrong = error instanceof BadInput && error.code === 'token_invalid';
    if (isWrong) await countAddress(wrongTokens, request);
    throw error;
  }
}

/** Forgotten password and proof of the address of mail. */
export const recoveryRoutes = new Elysia({ name: 'recovery', prefix: '/auth' })
  .use(session)
  .post(
    '/forgot',
    async ({ body }) => {
      await forgotPassword(body.email);
      return { sent: true as const };
    },
    {
      beforeHandle: [refuseForeignOrigin, limitLetters],
      body: Forgotten,
      response: answers(LetterSent, 400, 403, 429),
      detail: {
        tags,
        summary: 'Ask for a letter with a link to a new password; the same for unknown addresses',
      },
    },
  )
  .post(
    '/reset',
    async ({ body, request }) => {
      await countWrongTokens(request, () => resetPassword(body));
      return { reset: true as const };
    },
    {
      beforeHandle: [refuseForeignOrigin, rateLimitWrites],
      body: PasswordReset,
      response: answers(ResetDone, 400, 403, 429),
      detail: { tags, summary: 'Set a new password with the token of a letter; logs every device out' },
    },
  )
  .post(
    '/verify',
    async ({ body, request }) => {
      await countWrongTokens(request, () => verifyEmail(body.token));
      return { verified: true as const };
    },
    {
      beforeHandle: [refuseForeignOrigin, rateLimitWrites],
      body: EmailVerification,
      response: answers(Verified, 400, 403, 429),
      detail: { tags, summary: 'Prove the own e-mail address with the token of a letter' },
    },
  )
  .post(
    '/verify/send',
    async ({ visitor }) => {
      await sendVerification(visitor);
      return { sent: true as const };
    },
    {
      role: 'user',
      beforeHandle: rateLimitWrites,
      response: answers(LetterSent, 401, 403, 409, 429),
      detail: {
        tags,
        summary: 'Send the letter that proves the e-mail address, again',
        security: [{ bearer: [] }],
      },
    },
  );
