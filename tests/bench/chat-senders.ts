/**
 * Sends messages at a fixed rate, whatever the answers take, each account in turn, each message with a key of its own.
 * `bun tests/bench/chat-senders.ts` reads its plan, `{"port":4411,"stars":[1],"tokens":["…"],"perSecond":400,"seconds":5}`, and
 * prints one JSON line.
 */
export interface SendPlan {
  port: number;
  /** Channels in turn. */
  stars: number[];
  tokens: string[];
  perSecond: number;
  seconds: number;
}

export interface SendResult {
  sent: number;
  stored: number;
  failures: Record<string, number>;
  p50: number;
  p99: number;
}

const plan: SendPlan = JSON.parse(await Bun.stdin.text());
const latencies: number[] = [];
const failures: Record<string, number> = {};
const running: Promise<void>[] = [];
const filling = ' 오늘 무대 정말 좋았어요, 다음 컴백도 기다릴게요!';

async function send(number: number): Promise<void> {
  const account = number % plan.tokens.length;
  const star = plan.stars[number % plan.stars.length];
  const startedAt = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${plan.port}/api/community/channels/${star}/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${plan.tokens[account]}`,
        'idempotency-key': crypto.randomUUID(),
        'x-forwarded-for': `10.77.${Math.floor(account / 250)}.${account % 250}`,
      },
      body: JSON.stringify({ content: `t${Date.now()}${filling}` }),
    });
    const text = await answer.text();
    if (answer.ok) latencies.push(performance.now() - startedAt);
    else count(`${answer.status} ${text.slice(0, 80)}`);
  } catch (error) {
    count(String(error));
  }
}

function count(reason: string): void {
  failures[reason] = (failures[reason] ?? 0) + 1;
}

const begin = performance.now();
const total = plan.perSecond * plan.seconds;
for (let sentCount = 0; sentCount < total; ) {
  const dueBy = Math.min(total, Math.floor(((performance.now() - begin) / 1_000) * plan.perSecond));
  for (; sentCount < dueBy; sentCount += 1) running.push(send(sentCount));
  await Bun.sleep(2);
}
await Promise.all(running);
latencies.sort((a, b) => a - b);
const share = (part: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
const result: SendResult = {
  sent: total,
  stored: latencies.length,
  failures,
  p50: share(0.5),
  p99: share(0.99),
};
console.log(JSON.stringify(result));
