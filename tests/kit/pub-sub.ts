import { createServer, type Socket } from 'node:net';

/**
 * Publish and subscribe of Valkey for machines that have none: its protocol (RESP3) with the commands that the bus needs.
 * @returns how to end it, with all connections
 */
export function servePubSub(port: number): () => Promise<void> {
  const channels = new Map<string, Set<Socket>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let unread = '';
    socket.on('data', (data) => {
      const { commands, left } = read(unread + data.toString('utf8'));
      unread = left;
      for (const command of commands) answer(socket, command, channels);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      for (const listening of channels.values()) listening.delete(socket);
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  return () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  };
}

const text = (value: string) => `$${Buffer.byteLength(value)}\r\n${value}\r\n`;

function answer(socket: Socket, [name = '', ...values]: string[], channels: Map<string, Set<Socket>>): void {
  switch (name.toUpperCase()) {
    case 'HELLO':
      socket.write(`%1\r\n${text('proto')}:3\r\n`);
      break;
    case 'PING':
      socket.write('+PONG\r\n');
      break;
    case 'SUBSCRIBE':
      for (const channel of values) {
        channels.set(channel, (channels.get(channel) ?? new Set()).add(socket));
        socket.write(`>3\r\n${text('subscribe')}${text(channel)}:1\r\n`);
      }
      break;
    case 'PUBLISH': {
      const [channel = '', payload = ''] = values;
      const listening = channels.get(channel) ?? new Set();
      for (const each of listening) each.write(`>3\r\n${text('message')}${text(channel)}${text(payload)}`);
      socket.write(`:${listening.size}\r\n`);
      break;
    }
    default:
      socket.write('+OK\r\n');
  }
}

/** Whole commands at the beginning of what came, and what is left. Payloads of the bus are ASCII. */
function read(buffer: string): { commands: string[][]; left: string } {
  const commands: string[][] = [];
  let unread = buffer;
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(unread);
    if (!head) return { commands, left: unread };
    const parts: string[] = [];
    let at = head[0].length;
    for (let n = Number(head[1]); n > 0; n -= 1) {
      const size = /^\$(\d+)\r\n/.exec(unread.slice(at));
      if (!size) return { commands, left: unread };
      const begin = at + size[0].length;
      const end = begin + Number(size[1]);
      if (unread.length < end + 2) return { commands, left: unread };
      parts.push(unread.slice(begin, end));
      at = end + 2;
    }
    commands.push(parts);
    unread = unread.slice(at);
  }
}
