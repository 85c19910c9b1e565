import { brotliCompressSync } from 'node:zlib';
import type { PageContent } from './page-visit.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The words of a page as plain paragraphs below the same picture, without style sheet or script, on a server of its own. */
export async function servePlain(
  url: string,
  { words, hero }: PageContent,
): Promise<{ url: string; stop(): Promise<void> }> {
  const picture = hero && (await fetch(hero.src));
  const bytes = await picture?.arrayBuffer();
  const type = picture?.headers.get('content-type') ?? '';
  const image = hero ? `<img src="/hero" width="${hero.width}" height="${hero.height}" alt="">` : '';
  const paragraphs = words.map((line) => `<p>${escaped(line)}</p>`).join('');
  const html = brotliCompressSync(
    `<!doctype html><html lang="ko"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(url)}</title><link rel="icon" href="data:,"></head><body>${image}${paragraphs}</body></html>`,
  );
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url: requestUrl }) =>
      new URL(requestUrl).pathname === '/hero'
        ? new Response(bytes, { headers: { 'content-type': type } })
        : new Response(html, {
            headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' },
          }),
  });
  return { url: server.url.href, stop: () => server.stop(true) };
}
