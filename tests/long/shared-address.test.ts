import { expect, setDefaultTimeout, test } from 'bun:test';
import { api } from '#api/app.ts';
import { acceptStreams, endStreams } from '#api/community/live/live.ts';
import { registerConnection } from '#api/plugins/client.ts';
import { connection } from '#db/client.ts';
import { prepareAccounts } from '#tests/bench/accounts.ts';
import { bearer } from '#tests/kit/call.ts';
import { useDatabase } from '#tests/kit/database.ts';
import { makeChannel } from '#tests/kit/make.ts';

useDatabase();
setDefaultTimeout(600_000);

/** Of a carrier. */
const from = '203.0.113.200';
const accountCount = 2_000;
const guestCount = 1_000;
/** Calls under way at once. */
const atOnce = 50;

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(`http://localhost:4321${path}`, init);
  registerConnection(request, from);
  return api.handle(request);
}

/** How often each status was answered to so many calls. */
async function statusesOf(count: number, make: (n: number) => Promise<Response>) {
  const statuses: Record<number, number> = {};
  for (let done = 0; done < count; done += atOnce)
    for (const answer of await Promise.all(
      Array.from({ length: Math.min(atOnce, count - done) }, (_, n) => make(done + n)),
    ))
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  return statuses;
}

test('2,000 accounts and a thousand guests behind one address read, search, write and talk at once', async () => {
  const tokens = await prepareAccounts(connection(), accountCount);
  const members = await connection()<
    { id: number }[]
  >`select id from users where username_key like 'bench\_%'`;
  const star = await makeChannel({ members: members.map(({ id }) => id) });
  const channel = `/api/community/channels/${star}`;
  const as = (n: number) => bearer(tokens[n] ?? '');
  const written = (n: number, body: object) => ({
    method: 'POST',
    headers: { ...as(n), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const streams: Response[] = [];
  const openStream = async (init?: RequestInit) => {
    const answer = await ask(`${channel}/stream`, init);
    streams.push(answer);
    return answer;
  };
  try {
    const all = { 200: accountCount };
    expect(await statusesOf(accountCount, (n) => openStream({ headers: as(n) }))).toEqual(all);
    expect(await statusesOf(guestCount, () => openStream())).toEqual({ 200: guestCount });
    expect(await statusesOf(accountCount, (n) => ask(`/api/search?q=a${n}`, { headers: as(n) }))).toEqual(
      all,
    );
    expect(await statusesOf(500, (n) => ask(`/api/search?q=b${n}`))).toEqual({ 200: 500 });
    expect(
      await statusesOf(accountCount, (n) => ask(`${channel}/messages`, written(n, { content: `${n}` }))),
    ).toEqual(all);
    const [row] = await connection()<{ count: number }[]>`
      select count(*)::int from messages m join channels c on c.id = m.channel_id where c.star_id = ${star}`;
    expect(row?.count).toBe(accountCount);
  } finally {
    for (const { body } of streams) await body?.cancel();
    await endStreams();
    acceptStreams();
  }
});
