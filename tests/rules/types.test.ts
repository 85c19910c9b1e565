import { describe, expect, test } from 'bun:test';
import ts from 'typescript';
import { allCode, type SourceFile } from './sources.ts';

describe('the compiler is never silenced:', () => {
  const silenced = allCode().flatMap((source) =>
    scriptsOf(source).flatMap((script) => silences(source.path, script)),
  );

  for (const kind of ['any', 'double assertion', 'non-null assertion', 'comment'] as const) {
    test(`no ${kind}`, () => {
      expect(silenced.filter((silence) => silence.kind === kind).map(({ at }) => at)).toEqual([]);
    });
  }

  test('and this would be noticed', () => {
    const bad = 'let a: any = b!; const c = a as unknown as string; // @ts-ignore';
    expect(
      silences('x.ts', bad)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['any', 'comment', 'double assertion', 'non-null assertion']);
  });
});

describe('a call that the API does not have does not compile:', () => {
  type CallApi = typeof import('#site/client/api.ts').callApi;
  type CallApiFor = typeof import('#site/lib/accounts/forms.ts').callApiFor;
  type TypedCall = typeof import('#tests/kit/call.ts').typedCall;

  test('of an island, a form or a test', () => {
    // Nobody runs these: each mark is an error itself where the compiler takes the line below it.
    const fromIsland = (callApi: CallApi) => [
      // @ts-expect-error no such path
      callApi('get', '/api/star'),
      // @ts-expect-error another method
      callApi('put', '/api/auth/login', { body: { email: '', password: '' } }),
      // @ts-expect-error without its id
      callApi('get', '/api/stars/:id/profile'),
      // @ts-expect-error no such parameter
      callApi('get', '/api/stars/:id/profile', { params: { starId: 7 } }),
      // @ts-expect-error no such language
      callApi('get', '/api/stars', { query: { language: 'ja' } }),
      // @ts-expect-error no such field
      callApi('post', '/api/auth/login', { body: { email: '', password: '', role: 'admin' } }),
    ];
    const fromForm = (callApiFor: CallApiFor, request: Request) => [
      // @ts-expect-error no such path
      callApiFor(request, 'post', '/api/auth/log-out'),
      // @ts-expect-error the address written out
      callApiFor(request, 'put', '/api/admin/embeds/7', { body: { isActive: true } }),
      // @ts-expect-error no such parameter
      callApiFor(request, 'delete', '/api/auth/sessions/:id', { params: { device: '7' } }),
      // @ts-expect-error no such field
      callApiFor(request, 'put', '/api/auth/profile', { body: { name: '' } }),
      // @ts-expect-error a field is missing
      callApiFor(request, 'post', '/api/auth/login', { body: { email: '' } }),
      // @ts-expect-error takes no body
      callApiFor(request, 'post', '/api/auth/logout', { body: { everywhere: true } }),
      // What a person chose from a list is any word until the door has judged it.
      callApiFor(request, 'put', '/api/auth/profile', { body: { language: String(request.url) } }),
    ];
    const fromTest = async (typedCall: TypedCall) => {
      const { answer, error } = await typedCall('get', '/api/auth/follows');
      // @ts-expect-error it may have been refused
      answer.starIds;
      // @ts-expect-error no such field of the answer
      answer?.stars;
      return error ? error.code : answer.starIds.map((id) => id + 1);
    };
    expect([fromIsland, fromForm, fromTest].every((wrong) => typeof wrong === 'function')).toBe(true);
  });
});

interface Silence {
  kind: 'any' | 'double assertion' | 'non-null assertion' | 'comment';
  at: string;
}

/** The TypeScript of a file: of an Astro file its frontmatter and its scripts. */
function scriptsOf({ path, text }: SourceFile): string[] {
  if (!path.endsWith('.astro')) return path.endsWith('.mjs') ? [] : [text];
  const frontmatter = text.match(/^---\n([\s\S]*?)\n---/)?.[1] ?? '';
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  return [frontmatter, ...scripts];
}

/** What has none of these words and signs has nothing to be found: two of three files need not be parsed. */
const maySilence = (text: string): boolean =>
  /\bany\b|[\w)\]]!(?!=)|@ts-/.test(text) || /\bas\b[^;]*?\bas\b/.test(text);

function silences(path: string, text: string): Silence[] {
  if (!maySilence(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const collected: Silence[] = [];
  const note = (kind: Silence['kind'], position: number) =>
    collected.push({ kind, at: `${path}:${file.getLineAndCharacterOfPosition(position).line + 1}` });
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) note('any', node.getStart());
    if (ts.isNonNullExpression(node)) note('non-null assertion', node.getStart());
    if (ts.isAsExpression(node) && ts.isAsExpression(node.expression))
      note('double assertion', node.getStart());
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { index } of text.matchAll(/(?:\/\/|\/\*|<!--)\s*@ts-(?:ignore|expect-error|nocheck)/g)) {
    if (!path.endsWith('rules/types.test.ts')) note('comment', index);
  }
  return collected;
}
