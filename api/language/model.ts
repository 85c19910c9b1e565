import { t } from 'elysia';
import { languages } from '#content/locales.ts';
import { oneOf } from '../shapes.ts';

/** §7 `GET /api/detect-language`. */
export const DetectedLanguage = t.Object({ detectedLanguage: oneOf(languages), ip: t.String() });
