import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A TCP socket of this machine as Linux lists it. */
interface SocketRow {
  /** Address and port of the other end, as the list writes them. */
  remote: string;
  /** `0A` listens, `03` is half open. */
  state: string;
  /** Of who listens: connections that nobody has accepted yet. */
  queued: number;
  inode: string;
}

/** What stays where a process sees nothing of /proc but processes, as `deploy/byeol@.service` has it: /proc/net does not. */
const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** The sockets with this local port; none where there is no /proc. */
export function socketsAt(port: number): SocketRow[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables.flatMap(linesOf).flatMap((line) => {
    const [, local = '', remote = '', state = '', queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
    if (!local.endsWith(suffix)) return [];
    return [{ remote, state, queued: Number.parseInt(queues.split(':')[1] ?? '0', 16), inode }];
  });
}

/** A socket that this process listens with. */
export interface OwnListener {
  descriptor: number;
  inode: string;
}

/** The sockets with which this process listens at a port. */
export function ownListenersAt(port: number): OwnListener[] {
  const listening = new Set(
    socketsAt(port)
      .filter(({ state }) => state === '0A')
      .map(({ inode }) => inode),
  );
  return namesIn('/proc/self/fd').flatMap((name) => {
    const inode = /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/self/fd/${name}`))?.[1] ?? '';
    return listening.has(inode) ? [{ descriptor: Number(name), inode }] : [];
  });
}

/** Which of the connections that nobody has accepted yet are meant, where several processes listen at the port. */
export interface OwnQueue {
  /** Of our listening sockets. */
  inodes: ReadonlySet<string>;
  /** Other ends of what was half open when new connections began to go to others: only these may still be ours. */
  handshakes: ReadonlySet<string>;
}

/**
 * Whether a connection to the port was not accepted yet. Linux hands a connection over when its first bytes come, as
 * Bun wishes, or after about a second: until then it is half open to it; later it counts in the queue of who listens.
 * @param own undefined: this process alone listens there
 */
export function hasPendingConnections(port: number, own?: OwnQueue): boolean {
  return socketsAt(port).some(({ state, remote, queued, inode }) => {
    if (state === '03') return own?.handshakes.has(remote) ?? true;
    return state === '0A' && queued > 0 && (own?.inodes.has(inode) ?? true);
  });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // It was closed meanwhile.
    return '';
  }
}
