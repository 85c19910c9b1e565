/**
 * What the figures are held against: bare `Bun.serve` that answers the bytes and headers of our page, or of each of our pages, and a
 * bare Elysia route that answers the JSON of our call. `bun tests/bench/bare.ts <port> <kind> <address> [<address> …]` copies the
 * answers, then serves them.
 */
import { Elysia } from 'elysia';

const [, , port = '0', kind = 'bun', ...addresses] = Bun.argv;

interface Answer {
  bytes: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

async function copyOf(address: string, encoding: string): Promise<Answer> {
  const original = await fetch(address, { headers: { 'accept-encoding': encoding }, decompress: false });
  const { date, 'content-length': length, ...headers } = Object.fromEntries(original.headers);
  return { bytes: await original.bytes(), headers };
}

const [address = ''] = addresses;
if (kind === 'bun') {
  const pages = new Map<string, Answer>();
  for (const each of addresses) pages.set(new URL(each).pathname, await copyOf(each, 'br'));
  const [only] = pages.size === 1 ? pages.values() : [];
  const originLength = `http://localhost:${port}`.length;
  Bun.serve({
    port: Number(port),
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const page = only ?? pages.get(url.slice(originLength));
      return page ? new Response(page.bytes, { headers: page.headers }) : new Response(null, { status: 404 });
    },
  });
} else {
  const json: unknown = JSON.parse(new TextDecoder().decode((await copyOf(address, 'identity')).bytes));
  new Elysia()
    .get(new URL(address).pathname, () => json)
    .listen({ port: Number(port), hostname: '127.0.0.1' });
}
console.log('ready');
