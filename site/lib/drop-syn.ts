import { dlopen, ptr } from 'bun:ffi';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Linux's numbers, of `asm-generic/socket.h` and `linux/filter.h`. */
const solSocket = 1;
const soAttachFilter = 26;
const listening = '0A';

/** A BPF program for the TCP header: the first packet of a connection (SYN without ACK) is dropped, all others pass. */
const filter = [
  { code: 0x30, jt: 0, jf: 0, k: 13 }, // the byte of the flags
  { code: 0x54, jt: 0, jf: 0, k: 0x12 }, // of them SYN and ACK
  { code: 0x15, jt: 0, jf: 1, k: 0x02 }, // SYN alone?
  { code: 0x06, jt: 0, jf: 0, k: 0 }, // dropped
  { code: 0x06, jt: 0, jf: 0, k: 0xffffffff }, // whole
];

/**
 * From now on nobody new connects to a port that this process listens at, while who has connected already is still taken: a
 * closed listener resets those that wait in its queue, and where connections come all the time some always wait. Of 24 clients
 * that ask again and again, each time on a new connection, up to 23 were cut at a stop. A dropped SYN is sent again after a
 * second and meets a closed port, which is a refusal and no cut. Linux only; elsewhere, or without the C library by its usual
 * name, nothing happens.
 */
export function dropNewConnections(port: number): void {
  try {
    const sockets = listeningSockets(port);
    if (sockets.length === 0) return;
    const { symbols, close } = dlopen('libc.so.6', {
      setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
    });
    const program = new DataView(new ArrayBuffer(filter.length * 8));
    for (const [index, { code, jt, jf, k }] of filter.entries()) {
      program.setUint16(index * 8, code, true);
      program.setUint8(index * 8 + 2, jt);
      program.setUint8(index * 8 + 3, jf);
      program.setUint32(index * 8 + 4, k, true);
    }
    const header = new DataView(new ArrayBuffer(16));
    header.setUint16(0, filter.length, true);
    header.setBigUint64(8, BigInt(ptr(program)), true);
    for (const socket of sockets) symbols.setsockopt(socket, solSocket, soAttachFilter, ptr(header), 16);
    close();
  } catch {
    // Whoever waits when the listener closes is reset, as by any other server.
  }
}

/** The file descriptors with which this process listens at a port. */
function listeningSockets(port: number): number[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, address, , state]) => address?.endsWith(local) && state === listening)
      .map((columns) => `socket:[${columns[9]}]`),
  );
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return inodes.has(readlinkSync(`/proc/self/fd/${name}`)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
