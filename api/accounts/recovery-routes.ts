import { Elysia } from 'elysia';
import { limit, limitWrites } from '../plugins/limits.ts';
import { refuseForeignOrigin } from '../plugins/origin.ts';
import { session } from '../plugins/session.ts';
import { answers } from '../shapes.ts';
import { Forgotten, LetterSent, PasswordReset, ResetDone, Verification, Verified } from './model.ts';
import { forgotPassword, resetPassword, sendVerification, verifyEmail } from './recovery.ts';

const tags = ['Accounts'];
/** Per address, so that nobody sends letters to many people or tries many tokens. */
const limitLetters = limit({ name: 'letters', per: 'address', count: 20, seconds: 3600 });
const limitTokens = limit({ name: 'tokens', per: 'address', count: 30, seconds: 3600 });

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
    async ({ body }) => {
      await resetPassword(body);
      return { reset: true as const };
    },
    {
      beforeHandle: [refuseForeignOrigin, limitTokens],
      body: PasswordReset,
      response: answers(ResetDone, 400, 403, 429),
      detail: { tags, summary: 'Set a new password with the token of a letter; logs every device out' },
    },
  )
  .post(
    '/verify',
    async ({ body }) => {
      await verifyEmail(body.token);
      return { verified: true as const };
    },
    {
      beforeHandle: [refuseForeignOrigin, limitTokens],
      body: Verification,
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
      beforeHandle: [...limitWrites, limitLetters],
      response: answers(LetterSent, 401, 403, 409, 429),
      detail: {
        tags,
        summary: 'Send the letter that proves the e-mail address, again',
        security: [{ bearer: [] }],
      },
    },
  );
