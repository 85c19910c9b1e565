import { fileURLToPath } from 'node:url';
import { Glob } from 'bun';
import { etagOf, matchesEtag } from '#api/plugins/etags.ts';
import { compressedFolder, extensions } from './compress-files.ts';
import { chooseEncoding } from './encodings.ts';
import { securityHeaders } from './security-headers.ts';

interface StaticFile {
  etag: string;
  bytes: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  br?: Uint8Array<ArrayBuffer>;
  gzip?: Uint8Array<ArrayBuffer>;
}

/** The built client files and prerendered pages, and what the build compressed of them, read once; hashed names live for a year. */
export class StaticFiles {
  private constructor(private readonly files: ReadonlyMap<string, StaticFile>) {}

  static async load(folder: URL): Promise<StaticFiles> {
    const files = new Map<string, StaticFile>();
    const [root, compressed] = [fileURLToPath(folder), fileURLToPath(compressedFolder(folder))];
    for await (const name of new Glob('**/*').scan({ cwd: root, onlyFiles: true })) {
      const file = Bun.file(`${root}/${name}`);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const etag = etagOf(bytes);
      const isPage = name.endsWith('.html');
      const headers: Record<string, string> = {
        ...securityHeaders(isPage ? pagePolicy(bytes) : undefined),
        'content-type': isPage ? 'text/html; charset=utf-8' : file.type,
        'cache-control': name.startsWith('_astro/')
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600',
        etag,
        vary: 'Accept-Encoding',
      };
      const entry: StaticFile = { bytes, etag, headers };
      for (const encoding of ['br', 'gzip'] as const) {
        const tighter = Bun.file(`${compressed}/${name}${extensions[encoding]}`);
        if (await tighter.exists()) entry[encoding] = await tighter.bytes();
      }
      for (const path of pathsOf(name)) files.set(path, entry);
    }
    return new StaticFiles(files);
  }

  /** The text of a file, or undefined when there is none of that name. */
  read(path: string): string | undefined {
    const file = this.files.get(path);
    return file && new TextDecoder().decode(file.bytes);
  }

  /** Answers a GET or HEAD request for a file, or undefined when there is none of that name. */
  answer(path: string, request: Request): Response | undefined {
    const file = this.files.get(path);
    if (!file) return undefined;
    if (matchesEtag(request, file.etag)) return new Response(null, { status: 304, headers: file.headers });
    const encoding = chooseEncoding(request);
    const body = encoding === 'identity' ? undefined : file[encoding];
    const headers = body ? { ...file.headers, 'content-encoding': encoding } : file.headers;
    // For HEAD the server sends the body's length alone.
    return new Response(body ?? file.bytes, { headers });
  }
}

/** `about/index.html` answers `/about`; other files their own name. 404 and 500 pages are not addresses. */
function pathsOf(name: string): string[] {
  if (name === '404.html' || name === '500.html') return [];
  if (name === 'index.html') return ['/'];
  if (name.endsWith('/index.html')) return [`/${name.slice(0, -'/index.html'.length)}`];
  return [`/${name}`];
}

/** A prerendered page carries its policy as `<meta>`; as a header it also covers what `<meta>` cannot (frame-ancestors). */
function pagePolicy(bytes: Uint8Array): string | undefined {
  const html = new TextDecoder().decode(bytes);
  return html
    .match(/<meta http-equiv="content-security-policy" content="([^"]+)"/i)?.[1]
    ?.replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}
