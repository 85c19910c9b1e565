import { connect } from 'node:net';

interface RawAnswer {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Sends a request as its bytes are written here: a client would put the address right and hide what HEAD says. */
export function askRaw(
  origin: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    version = '1.1',
  }: { method?: string; headers?: Record<string, string>; version?: '1.0' | '1.1' } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const host = version === '1.1' ? { host: `${hostname}:${port}` } : {};
  const lines = Object.entries({ ...host, connection: 'close', ...headers });
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `${method} ${path} HTTP/${version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      ),
    );
    socket.on('error', reject);
    socket.on('data', (part) => parts.push(Buffer.from(part)));
    socket.on('close', () => resolve(read(Buffer.concat(parts).toString())));
  });
}

function read(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  };
}
