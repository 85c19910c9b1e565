import { SMTPServer } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  /** Header lines and body as they came over the wire. */
  text: string;
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  received: Received[];
  /** What the next letters are answered with, instead of being taken. */
  refuseWith(status: number | undefined): void;
  /** Leaves letters that come now without an answer, as a server does that dies; `held` counts them. */
  hold(holding: boolean): void;
  held(): number;
  stop(): Promise<void>;
}

/** A real SMTP server on loopback that keeps what it is given. */
export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = [];
  let refusal: number | undefined;
  let holding = false;
  let heldCount = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (holding) {
          heldCount += 1;
          return;
        }
        if (refusal !== undefined) {
          done(Object.assign(new Error('not now'), { responseCode: refusal }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
  });
  const net = server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => net.once('listening', () => resolve()));
  const address = net.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseWith(status) {
      refusal = status;
    },
    hold(now) {
      holding = now;
    },
    held: () => heldCount,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The readable text of a letter: its text part, decoded. */
export function textOf(letter: string): string {
  const boundary = letter.match(/boundary="?([^"\r\n;]+)"?/)?.[1];
  const parts = boundary ? letter.split(`--${boundary}`) : [letter];
  const part = parts.find((each) => /content-type: text\/plain/i.test(each)) ?? letter;
  const [head = '', ...body] = part.split(/\r?\n\r?\n/);
  const content = body.join('\n\n');
  if (/base64/i.test(head.match(/content-transfer-encoding:.*/i)?.[0] ?? ''))
    return Buffer.from(content, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return content;
  const bytes = content
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
