import { afterAll, describe, expect, test } from 'bun:test';
import { freePort } from '#db/embedded/postmaster.ts';
import { audit, type Considered, considered } from '#tests/kit/advisories.ts';

/** Stands for the registry of npm, which answers for each name that it is asked for. */
const registry = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const isAsked = new URL(request.url).pathname === '/-/npm/v1/security/advisories/bulk';
    if (request.method !== 'POST' || !isAsked) return new Response('', { status: 404 });
    const body = Bun.gunzipSync(await request.arrayBuffer());
    const asked: Record<string, string[]> = JSON.parse(new TextDecoder().decode(body));
    return Response.json('postgres' in asked ? { postgres: [advisory] } : {});
  },
});
afterAll(() => registry.stop(true));

const id = 'GHSA-aaaa-bbbb-cccc';
const advisory = {
  id: 1,
  url: `https://github.com/advisories/${id}`,
  title: 'Reads what it should not',
  severity: 'high',
  vulnerable_versions: '<99',
};
const settings = { npm_config_registry: `http://127.0.0.1:${registry.port}/` };
/** The registry is on this machine, which may be slow. */
const ask = (known: readonly Considered[], today?: string) => audit(settings, known, today, 100_000);
const own: Considered = { id, because: 'we do not use that', until: '2026-12-31' };

describe('a known fault of a package', () => {
  test('fails the check, with where to read about it', async () => {
    expect(await ask([])).toEqual({
      faults: [`postgres <99: high, Reads what it should not (${advisory.url})`],
    });
  });

  test('that was considered does not, until its day', async () => {
    expect(await ask([own], '2026-12-31')).toEqual({ faults: [] });
    expect(await ask([own], '2027-01-01')).toMatchObject({ faults: [expect.any(String)] });
  });

  test('that nobody has any more is not considered for ever', async () => {
    const gone = { ...own, id: 'GHSA-gone-gone-gone' };
    expect(await ask([own, gone], '2026-12-31')).toMatchObject({
      faults: [expect.stringContaining('GHSA-gone')],
    });
  });

  test('is not known where the registry does not answer, which is said', async () => {
    const nobody = { npm_config_registry: `http://127.0.0.1:${await freePort()}/` };
    expect(await audit(nobody)).toEqual({ unanswered: expect.stringMatching(/\S/) });
  });

  test('is considered with a reason and a day', () => {
    const wrong = considered.filter(
      ({ because, until }) => because === '' || !/^\d{4}-\d\d-\d\d$/.test(until),
    );
    expect(wrong).toEqual([]);
  });
});
