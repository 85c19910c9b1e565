/** Outlets on loopback: feeds and pages as they are met outside, well made, broken and hostile. */

interface Story {
  path: string;
  title: string;
  /** What the feed says. */
  summary: string;
  /** What the page says, a paragraph each; without it there is no page. */
  page?: string[];
  publishedAt?: Date;
}

export interface Outlet {
  url: string;
  stories: Story[];
  /** Answer of /robots.txt; undefined: 404. */
  robots: string | undefined;
  /** Paths with the `User-Agent` and validators that were asked for, newest last. */
  readonly asked: { path: string; at: number; agent: string; etag: string | null }[];
  /** Answers of paths that are to be something else. */
  readonly special: Map<string, (request: Request) => Response | Promise<Response>>;
  stop(): Promise<void>;
}

export function startOutlet(): Outlet {
  const asked: Outlet['asked'] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch(request) {
      const { pathname: path } = new URL(request.url);
      asked.push({
        path,
        at: performance.now(),
        agent: request.headers.get('user-agent') ?? '',
        etag: request.headers.get('if-none-match'),
      });
      const special = outlet.special.get(path);
      if (special) return special(request);
      if (path === '/robots.txt')
        return outlet.robots === undefined ? missing() : new Response(outlet.robots);
      if (path === '/rss') return feed(rss(outlet.stories), request);
      if (path === '/atom') return feed(atom(outlet.stories), request);
      const story = outlet.stories.find((each) => each.path === path);
      return story?.page ? page(story, outlet.url) : missing();
    },
  });
  const outlet: Outlet = {
    url: server.url.origin,
    stories: [],
    robots: undefined,
    asked,
    special: new Map(),
    stop: () => server.stop(true),
  };
  return outlet;
}

const missing = () => new Response('Not Found', { status: 404 });

function feed(xml: string, request: Request): Response {
  const etag = `"${Bun.hash(xml)}"`;
  if (request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers: { etag } });
  return new Response(xml, { headers: { 'content-type': 'application/rss+xml; charset=utf-8', etag } });
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const rss = (stories: readonly Story[], encoding = 'UTF-8'): string =>
  `<?xml version="1.0" encoding="${encoding}"?>
<rss version="2.0"><channel><title>무대뒤뉴스</title><link>/</link>${stories
    .map(
      ({ path, title, summary, publishedAt = new Date() }) => `
<item><title>${escaped(title)}</title><link>${path}?utm_source=rss</link><description><![CDATA[<p>${summary}</p>]]></description>
<pubDate>${publishedAt.toUTCString()}</pubDate></item>`,
    )
    .join('')}</channel></rss>`;

const atom = (stories: readonly Story[]): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>별일보</title>${stories
    .map(
      ({ path, title, summary, publishedAt = new Date() }) => `
<entry><title type="html">${escaped(title)}</title><link href="${path}"/><id>${path}</id><updated>${publishedAt.toISOString()}</updated>
<summary type="html">${escaped(summary)}</summary></entry>`,
    )
    .join('')}</feed>`;

function page({ path, title, page: paragraphs = [] }: Story, origin: string): Response {
  return new Response(
    `<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<link rel="canonical" href="${origin}${path}"></head><body><nav><a href="/">처음</a><a href="/a">연예</a></nav>
<article><h1>${escaped(title)}</h1>${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('')}
<script>document.title = 'gotcha'</script></article><footer>무단 전재 금지</footer></body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  );
}

/** Text in EUC-KR, which `TextEncoder` cannot write: only the syllables that a test needs, found by decoding. */
export function eucKr(text: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder('euc-kr');
  const table = new Map<string, [number, number]>();
  for (let high = 0xa1; high <= 0xfd; high += 1) {
    for (let low = 0xa1; low <= 0xfe; low += 1)
      table.set(decoder.decode(new Uint8Array([high, low])), [high, low]);
  }
  return Uint8Array.from(
    [...text].flatMap((sign) => {
      const code = sign.codePointAt(0) ?? 0;
      return code < 0x80 ? [code] : (table.get(sign) ?? [0x3f]);
    }),
  );
}
