/**
 * What the chat's figures are held against: a bare Bun broadcast over Server-Sent Events that gathers writes for 50 ms, without
 * database, accounts or bus. It makes the messages itself. `bun tests/bench/chat-bare.ts <port> <per second> <message>`.
 */
const [, , port = '0', perSecond = '400', message = ''] = Bun.argv;
const controllers = new Set<ReadableStreamDefaultController<Uint8Array>>();
const encoder = new TextEncoder();
let pendingText = '';
let messageCount = 0;
const begin = performance.now();

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 10,
  fetch(request, server) {
    server.timeout(request, 0);
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        controllers.add(controller);
        controller.enqueue(encoder.encode(': hello\n\n'));
      },
      cancel() {
        if (own) controllers.delete(own);
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  },
});

let sending = false;
process.on('SIGUSR2', () => {
  sending = !sending;
});
process.on('SIGHUP', () => Bun.gc(true));
let last = begin;
setInterval(() => {
  const now = performance.now();
  if (sending) messageCount += ((now - last) / 1_000) * Number(perSecond);
  last = now;
  for (; messageCount >= 1; messageCount -= 1) pendingText += message.replace('t0', `t${Date.now()}`);
}, 2);
setInterval(() => {
  if (pendingText === '') return;
  const bytes = encoder.encode(pendingText);
  pendingText = '';
  for (const controller of controllers) controller.enqueue(bytes);
}, 50);
console.log('ready');
