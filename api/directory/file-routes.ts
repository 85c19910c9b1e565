import { Elysia, t } from 'elysia';
import { rowOutcomes } from '#db/schema/directory.ts';
import { Created, Done } from '../admin/content-model.ts';
import { bodyOrNothing } from '../admin/routes.ts';
import { config } from '../config.ts';
import { BadInput } from '../errors.ts';
import { IdParams, Limit, Page } from '../parameters.ts';
import { IdempotencyHeaders, makeOnce } from '../plugins/idempotency.ts';
import { rateLimitWrites } from '../plugins/rate-limits.ts';
import { reads } from '../plugins/reads.ts';
import { session } from '../plugins/session.ts';
import { knownFields } from '../plugins/unknown-fields.ts';
import { answers, oneOf } from '../shapes.ts';
import { exportDirectory, exportFormats } from './export.ts';
import {
  previewFile,
  readImport,
  readImportRows,
  readImports,
  receiveFile,
  startFileImport,
} from './file-imports.ts';
import { ImportAnswer, ImportList, ImportRowList, ImportStart, importBody } from './imports-model.ts';
import { directorySchema } from './json-schema.ts';

const contentTypes = { byeol: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;
const about = (summary: string) => ({ tags: ['Admin'], security: [{ bearer: [] }], summary });
const extensions = { byeol: 'json', csv: 'csv' } as const;

/** The directory as a file, and what such a file may say. */
export const directoryFileRoutes = new Elysia({ name: 'directory-files' })
  .use(reads)
  .use(session)
  .use(knownFields)
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
      response: answers(t.String({ description: 'The file.' }), 400, 401, 403),
      detail: about('The directory as a file: JSON or CSV'),
    },
  )
  .get('/admin/directory/imports', async () => ({ imports: await readImports() }), {
    role: 'editor',
    response: answers(ImportList, 401, 403),
    detail: about('Files that were handed over, the newest first'),
  })
  .post(
    '/admin/directory/imports',
    async ({ request, visitor }) => {
      const file = await receiveFile(request);
      const content = [file.name, file.format, Bun.hash(file.bytes).toString()];
      return makeOnce(request, visitor.id, content, (keepAnswer) =>
        previewFile(file, visitor.id, keepAnswer),
      );
    },
    {
      role: 'editor',
      beforeHandle: rateLimitWrites,
      headers: IdempotencyHeaders,
      response: answers(Created, 400, 401, 403, 409, 413, 415, 429),
      detail: {
        ...about('Hand over a file of stars: JSON, CSV or kpopnet.json'),
        description: 'At most 8 MB. Nothing is taken in yet; the rows tell what it would do.',
        requestBody: importBody,
      },
    },
  )
  .get('/admin/directory/imports/:id', ({ params }) => readImport(params.id), {
    role: 'editor',
    params: IdParams,
    response: answers(ImportAnswer, 401, 403, 404),
    detail: about('How it stands with a file'),
  })
  .get(
    '/admin/directory/imports/:id/rows',
    ({ params, query: { outcome, page = 1, limit = 20 } }) =>
      readImportRows(params.id, { outcome, page, limit }),
    {
      role: 'editor',
      params: IdParams,
      query: t.Object({
        outcome: t.Optional(oneOf(rowOutcomes)),
        page: t.Optional(Page),
        limit: t.Optional(Limit),
      }),
      response: answers(ImportRowList, 400, 401, 403, 404),
      detail: about('What a file makes of each of its stars'),
    },
  )
  .post(
    '/admin/directory/imports/:id/start',
    async ({ params, body, visitor }) => {
      await startFileImport(params.id, { actorId: visitor.id, rowByRow: body.rowByRow ?? false });
      return { done: true as const };
    },
    {
      role: 'editor',
      beforeHandle: rateLimitWrites,
      params: IdParams,
      transform: bodyOrNothing,
      knownFields: [ImportStart],
      body: ImportStart,
      response: answers(Done, 400, 401, 403, 404, 409, 429),
      detail: about('Take a file in, as a whole or star by star'),
    },
  );
