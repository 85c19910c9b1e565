import { Elysia, t } from 'elysia';
import { config } from '../config.ts';
import { BadInput } from '../errors.ts';
import { reads } from '../plugins/reads.ts';
import { session } from '../plugins/session.ts';
import { answers, oneOf } from '../shapes.ts';
import { exportDirectory, exportFormats } from './export.ts';
import { directorySchema } from './json-schema.ts';

const contentTypes = { byeol: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;
const extensions = { byeol: 'json', csv: 'csv' } as const;

/** The directory as a file, and what such a file may say. */
export const directoryFileRoutes = new Elysia({ name: 'directory-files' })
  .use(reads)
  .use(session)
  .get('/directory/schema', () => directorySchema(`${config().siteUrl}/api/directory/schema`), {
    read: { maxAge: 3600 },
    response: answers(t.Record(t.String(), t.Unknown())),
    detail: { tags: ['Stars'], summary: 'The JSON Schema of a directory’s file' },
  })
  .get(
    '/admin/directory/export',
    async ({ query: { format = 'byeol', stars = '' } }) => {
      const names = stars.split(',').flatMap((name) => name.trim() || []);
      const { text, unknown } = await exportDirectory(format, names);
      if (unknown.length > 0)
        throw new BadInput('stars', `Nobody is called ${unknown.join(', ')} here.`, 'unknown');
      return new Response(text, {
        headers: {
          'content-type': contentTypes[format],
          'content-disposition': `attachment; filename="byeol-directory.${extensions[format]}"`,
          'cache-control': 'private, no-store',
        },
      });
    },
    {
      role: 'editor',
      query: t.Object({
        format: t.Optional(oneOf(exportFormats)),
        stars: t.Optional(
          t.String({
            maxLength: 2000,
            description: 'Slugs or numbers of stars, separated by commas; all without it.',
          }),
        ),
      }),
      detail: {
        tags: ['Admin'],
        security: [{ bearer: [] }],
        summary: 'The directory as a file: JSON or CSV',
      },
    },
  );
