import type { RunningEdge } from './edges.ts';

const guest = { 'x-forwarded-for': '203.0.113.9', 'accept-language': 'ko' };

/** What fans ask for and no edge keeps. */
const asks: readonly ((url: string) => Promise<Response>)[] = [
  (url) => fetch(`${url}/login`, { headers: guest }),
  (url) => fetch(`${url}/api/search?q=${crypto.randomUUID()}&language=en`, { headers: guest }),
  // Nobody sends a second time what may have been done.
  (url) => fetch(`${url}/api/auth/logout`, { method: 'POST', headers: guest }),
];

/** Whether fans are answered through edges while an app behind them is replaced, as in the upgrade of `docs/operating.md`. */
export async function replaceBehind(
  edges: readonly (readonly [string, RunningEdge])[],
  replace: () => Promise<void>,
): Promise<Map<string, { right: number; wrong: string[] }>> {
  const noticed = new Map<string, { right: number; wrong: string[] }>();
  let isOver = false;
  const fans = edges.map(async ([name, { url }]) => {
    const count = { right: 0, wrong: [] as string[] };
    noticed.set(name, count);
    while (!isOver) {
      for (const [kind, ask] of asks.entries()) {
        const answer = await ask(url).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer?.status === 200) count.right += 1;
        else count.wrong.push(`${['page', 'call', 'POST'][kind]} ${answer?.status ?? 'cut'}`);
      }
      await Bun.sleep(10);
    }
  });
  await replace();
  // Until the edges send fans to the app again: nginx tries it after ten seconds.
  await Bun.sleep(12_000);
  isOver = true;
  await Promise.all(fans);
  return noticed;
}
