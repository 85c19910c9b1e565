import { expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { call } from '#tests/kit/call.ts';

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

test('every route is described with a summary, a tag, its answer and the shape of its errors', async () => {
  const { status, headers, json } = await call('/api/openapi');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(json).toMatchObject({ openapi: '3.1.0', info: { title: 'Byeol API' } });
  const operations = Object.entries(fields(fields(json).paths)).flatMap(([path, methods]) =>
    Object.entries(fields(methods)).map(
      ([method, each]) => ({ name: `${method} ${path}`, ...fields(each) }) as Fields,
    ),
  );
  expect(operations.length).toBeGreaterThan(10);
  for (const { name, summary, tags, responses } of operations) {
    expect([name, typeof summary, Array.isArray(tags)]).toEqual([name, 'string', true]);
    const error = fields(fields(fields(fields(fields(responses)['500']).content)['application/json']).schema);
    expect([name, Object.keys(fields(error.properties))]).toEqual([
      name,
      ['error', 'code', 'field', 'most', 'least', 'id', 'about', 'faults', 'current'],
    ]);
    expect([name, Object.keys(fields(responses))]).toEqual([name, expect.arrayContaining(['200', '503'])]);
  }
});

/** Calls that take a file. */
const filePaths = new Set(['/api/admin/pictures', '/api/admin/directory/imports']);

test('bodies are described as the JSON that they are, or the form with a file', async () => {
  const { json } = await call('/api/openapi');
  const bodies = Object.entries(fields(fields(json).paths)).flatMap(([path, methods]) =>
    Object.values(fields(methods)).flatMap((each) => {
      const { requestBody } = fields(each);
      return requestBody ? [{ path, content: fields(fields(requestBody).content) }] : [];
    }),
  );
  expect(bodies.length).toBeGreaterThan(20);
  for (const { path, content } of bodies)
    expect([path, Object.keys(content)]).toEqual([
      path,
      [filePaths.has(path) ? 'multipart/form-data' : 'application/json'],
    ]);
  const login = bodies.find(({ path }) => path === '/api/auth/login');
  const schema = fields(fields(login?.content['application/json']).schema);
  expect(Object.keys(fields(schema.properties))).toEqual(['email', 'password']);
});

test('the document is valid, and names addresses as they are asked for', async () => {
  const { json } = await call('/api/openapi');
  expect(await new Validator().validate(fields(json))).toEqual({ valid: true });
  expect(Object.keys(fields(fields(json).paths)).filter((path) => path.endsWith('/'))).toEqual([]);
});

test('parameters are described as what they mean, not as the text they arrive in', async () => {
  const { text } = await call('/api/openapi');
  expect(text).not.toContain('byeol-');
  expect(text).not.toContain('x-integer');
  expect(text).toContain('{"type":"integer","minimum":1,"maximum":100}');
});

/** The calls of the administration, each with the fields of what it takes and of what it answers. */
async function adminCalls() {
  const { json } = await call('/api/openapi');
  const fieldsOf = (value: unknown) =>
    Object.keys(fields(fields(fields(fields(fields(value).content)['application/json']).schema).properties));
  return Object.entries(fields(fields(json).paths)).flatMap(([path, methods]) =>
    path.startsWith('/api/admin/')
      ? Object.entries(fields(methods)).map(([method, operation]) => {
          const { parameters, requestBody, responses } = fields(operation);
          return {
            method,
            path,
            name: `${method} ${path}`,
            headers: (Array.isArray(parameters) ? parameters : []).map((each) => fields(each).name),
            takes: fieldsOf(requestBody),
            answers: fieldsOf(fields(responses)['200']),
          };
        })
      : [],
  );
}

test('whatever makes something takes a key, so that a double press makes one', async () => {
  // A decision answers the number of what it decides about.
  const making = (await adminCalls()).filter(
    ({ method, path, answers }) => method === 'post' && answers.includes('id') && !path.includes('/verify/'),
  );
  expect(making.length).toBeGreaterThan(8);
  for (const { name, headers } of making)
    expect([name, headers]).toEqual([name, expect.arrayContaining(['idempotency-key'])]);
});

test('what an editor reads tells its version, which a change sends back', async () => {
  const calls = await adminCalls();
  const changed = new Set(calls.filter(({ method }) => method === 'put').map(({ path }) => path));
  const read = calls.filter(
    ({ method, path }) => method === 'get' && /\{(id|itemId)\}$/.test(path) && changed.has(path),
  );
  expect(read.map(({ path }) => path.split('/')[3])).toEqual(['events', 'articles', 'stars', 'pictures']);
  for (const { path, answers } of read) {
    expect([path, answers]).toEqual([path, expect.arrayContaining(['id', 'version'])]);
    const change = calls.find((each) => each.method === 'put' && each.path === path);
    expect([path, change?.takes]).toEqual([path, expect.arrayContaining(['version'])]);
  }
});
