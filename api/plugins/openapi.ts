import type { AnyElysia } from 'elysia';
import { site } from '#content/site.ts';
import { config } from '../config.ts';

const documents = new WeakMap<AnyElysia, Promise<Record<string, unknown>>>();

/** The OpenAPI 3 document of a finished API: what its routes declare, and what all of them have in common. */
export function describeApi(api: AnyElysia): Promise<Record<string, unknown>> {
  const document = documents.get(api) ?? documentOf(api);
  documents.set(api, document);
  return document;
}

async function documentOf(api: AnyElysia): Promise<Record<string, unknown>> {
  // Loaded when somebody asks for it: most processes are never asked.
  const { toOpenAPISchema } = await import('@elysiajs/openapi');
  const { paths, components } = toOpenAPISchema(
    readingJson(api),
    { paths: ['/api/openapi'] },
    undefined,
    undefined,
    '3.1.0',
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} API`,
      version: '1.0.0',
      description:
        'Errors are { error, code, field? }. Instants are ISO 8601 in UTC, dates YYYY-MM-DD. Unknown query parameters are ignored.',
    },
    servers: [{ url: config().siteUrl }],
    paths: cleanSchema(paths),
    components: {
      ...components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of login or register.' },
      },
    },
  };
}

/** The API as it describes itself when told that bodies are JSON: our own parser (`bounds.ts`) does not say so. */
function readingJson(api: AnyElysia): AnyElysia {
  const routes = api.routes.map((route) => ({
    ...route,
    hooks: { ...route.hooks, parse: [{ fn: 'json' }] },
  }));
  return new Proxy(api, {
    get: (target, name) => (name === 'getGlobalRoutes' ? () => routes : Reflect.get(target, name)),
  });
}

/** Numbers in addresses are checked as text; the document says what they mean. Our own sentences and formats are left out. */
function cleanSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleanSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { 'x-integer': bounds, ...rest } = value as Record<string, unknown>;
  if (typeof bounds === 'object' && bounds !== null) return { type: 'integer', ...bounds };
  delete rest['x-shared'];
  if (typeof rest.error === 'string') delete rest.error;
  if (typeof rest.format === 'string' && rest.format.startsWith('byeol-')) delete rest.format;
  return Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, cleanSchema(each)]));
}
