import { Elysia } from 'elysia';
import { clientAddress } from '../plugins/client.ts';
import { answers } from '../shapes.ts';
import { preferredLanguage } from './language.ts';
import { DetectedLanguage } from './model.ts';

/** §7 language detection. */
export const languageRoutes = new Elysia({ name: 'language' }).get(
  '/detect-language',
  ({ request }) => ({
    detectedLanguage: preferredLanguage(request.headers.get('accept-language')),
    ip: clientAddress(request),
  }),
  {
    response: answers(DetectedLanguage),
    detail: { tags: ['Language'], summary: 'The language a visitor seems to want, by Accept-Language' },
  },
);
