/**
 * What the chat's figures are held against: a bare Bun broadcast over Server-Sent Events that gathers writes for 50 ms, without
 * database, accounts or bus. It makes the messages itself. `bun tests/bench/chat-bare.ts <port> <per second> <message>`.
 */
const [, , port = '0', perSecond = '400', message = ''] = Bun.argv;
const controllers = new Set<ReadableStreamDefaultController<Uint8Array>>();
const encoder = new TextEncoder();
let batch = '';
let dueMessages = 0;
const begin = performance.now();

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 10,
  fetch(request, server) {
    server.timeout(request, 0);
    let streamController: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streamController = controller;
        controllers.add(controller);
        controller.enqueue(encoder.encode(': hello\n\n'));
      },
      cancel() {
        if (streamController) controllers.delete(streamController);
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
  if (sending) dueMessages += ((now - last) / 1_000) * Number(perSecond);
  last = now;
  for (; dueMessages >= 1; dueMessages -= 1) batch += message.replace('t0', `t${Date.now()}`);
}, 2);
setInterval(() => {
  if (batch === '') return;
  const bytes = encoder.encode(batch);
  batch = '';
  for (const controller of controllers) controller.enqueue(bytes);
}, 50);
console.log('ready');
