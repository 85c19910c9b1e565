/**
 * What the figures are held against: bare `Bun.serve` that answers the bytes and headers of our page, and a bare Elysia
 * route that answers the JSON of our call. `bun tests/bench/bare.ts <port> <kind> <address>` copies the answer, then serves it.
 */
import { Elysia } from 'elysia';

const [, , port = '0', kind = 'bun', address = ''] = Bun.argv;
const encoding = kind === 'bun' ? 'br' : 'identity';
const original = await fetch(address, { headers: { 'accept-encoding': encoding }, decompress: false });
const bytes = new Uint8Array(await original.arrayBuffer());
const headers = Object.fromEntries(original.headers);
delete headers.date;
delete headers['content-length'];

if (kind === 'bun') {
  Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: () => new Response(bytes, { headers }) });
} else {
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
  new Elysia()
    .get(new URL(address).pathname, () => json)
    .listen({ port: Number(port), hostname: '127.0.0.1' });
}
console.log('ready');
