import { type Lang, languages } from '#content/locales.ts';
import { writing } from '#content/writing.ts';

/** A stand-in for an OpenAI-compatible endpoint on loopback: the same path, shapes and errors, and ways to misbehave. */

export interface Asked {
  kind: 'rewrite' | 'events';
  language: Lang;
  system: string;
  prompt: string;
  /** Korean name → name in the language. */
  names: Map<string, string>;
  /** Whether a previous answer was sent back. */
  repair: boolean;
  /** Whether JSON mode was asked for. */
  jsonMode: boolean;
  authorization: string | null;
}

/** A text is the model's answer, a Response the server's, undefined the usual good answer. */
type Answerer = (asked: Asked, count: number) => string | Response | Promise<string | Response> | undefined;

export interface AiStandIn {
  url: string;
  model: string;
  /** What it answers instead of the usual. */
  answer: Answerer;
  readonly asked: Asked[];
  stop(): Promise<void>;
}

interface Message {
  role: string;
  content: string;
}

export function startAi(): AiStandIn {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== 'POST' || pathname !== '/v1/chat/completions')
        return failure(404, 'Unknown request URL');
      const body: { model: string; messages: Message[]; response_format?: object } = await request.json();
      const one = understand(
        body.messages,
        body.response_format !== undefined,
        request.headers.get('authorization'),
      );
      asked.push(one);
      const answer = (await standIn.answer(one, asked.length)) ?? usual(one);
      return answer instanceof Response
        ? answer
        : completion(body.model, answer, JSON.stringify(body.messages).length);
    },
  });
  const standIn: AiStandIn = {
    url: `${server.url.origin}/v1`,
    model: 'stand-in-1',
    answer: () => undefined,
    asked,
    stop: () => server.stop(true),
  };
  return standIn;
}

function understand(messages: readonly Message[], jsonMode: boolean, authorization: string | null): Asked {
  const of = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
  const [system, prompt] = [of('system'), of('user')];
  const block = prompt.match(/^Names:\n([\s\S]*?)\n\n/)?.[1] ?? '';
  return {
    kind: /upcoming events/.test(system) ? 'events' : 'rewrite',
    language: languages.find((lang) => system.includes(`in ${writing[lang].voice}`)) ?? 'ko',
    system,
    prompt,
    names: new Map(
      block.split('\n').flatMap((line) => {
        const [korean, own] = line.split(' = ');
        return korean && own ? [[korean, own] as const] : [];
      }),
    ),
    repair: prompt.includes('Your previous answer was not usable'),
    jsonMode,
    authorization,
  };
}

const bodies: Record<Lang, (name: string) => string[]> = {
  ko: (name) => [
    `${name}의 다음 걸음이 정해졌다`,
    `${name}이 새로운 무대를 준비하고 있다는 사실이 전해졌다.`,
    `팬들이 오래 기다려 온 ${name}의 이야기가 마침내 이어진다. 관계자들은 준비가 순조롭다고 입을 모았다.\n\n## 무엇이 달라지나\n\n이번에는 규모보다 가까움을 택했다는 설명이다. 자세한 내용은 차례로 공개될 예정이다.`,
  ],
  en: (name) => [
    `${name} sets out on a new chapter`,
    `${name} is getting a new stage ready, and the plans are now public.`,
    `Fans have waited a long while for ${name}, and the waiting is nearly over. Those close to the production say that everything is on track.\n\n## What changes\n\nThis time the aim is closeness rather than size. More details will follow step by step.`,
  ],
  ms: (name) => [
    `${name} membuka lembaran baharu`,
    `${name} sedang menyiapkan pentas baharu dan rancangannya kini diumumkan.`,
    `Peminat sudah lama menantikan ${name}, dan penantian itu hampir berakhir. Pihak yang rapat dengan penerbitan mengatakan semuanya berjalan lancar.\n\n## Apa yang berubah\n\nKali ini yang dicari ialah kedekatan, bukan saiz. Butiran lanjut akan menyusul.`,
  ],
  vi: (name) => [
    `${name} mở ra một chương mới`,
    `${name} đang chuẩn bị một sân khấu mới và kế hoạch nay đã được công bố.`,
    `Người hâm mộ đã chờ đợi ${name} rất lâu và sự chờ đợi ấy sắp kết thúc. Những người thân cận cho biết mọi việc đều thuận lợi.\n\n## Điều gì thay đổi\n\nLần này điều được tìm kiếm là sự gần gũi chứ không phải quy mô. Chi tiết sẽ được công bố dần.`,
  ],
};

/** A good rewrite about these names, as JSON. */
export function goodRewrite({ language, names }: Pick<Asked, 'language' | 'names'>): string {
  const [first = '별', ...others] = names.values();
  const [title = '', summary = '', body = ''] = bodies[language](first);
  const also = others.length > 0 ? `\n\n${others.join(', ')}.` : '';
  return JSON.stringify({
    title: others[0] ? `${title}: ${others[0]}` : title,
    summary: [summary],
    body: body + also,
  });
}

const usual = (question: Asked): string =>
  question.kind === 'events' ? '{"events": []}' : goodRewrite(question);

function completion(model: string, content: string, size: number): Response {
  return Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: size, completion_tokens: content.length, total_tokens: size + content.length },
  });
}

/** An error as such servers send it. */
export const failure = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { message, type: 'error', param: null, code: null } }, { status, headers });
