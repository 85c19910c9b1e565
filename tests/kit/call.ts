import { api } from '#api/app.ts';
import { noteConnection } from '#api/plugins/client.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, undefined when it is none. */
  json: unknown;
}

/** Knocks at the API's door as a client over HTTP does. `from` is the address of the socket. */
export async function call(path: string, init: RequestInit & { from?: string } = {}): Promise<Answer> {
  const { from, ...rest } = init;
  const request = new Request(`http://localhost:4321${path}`, rest);
  noteConnection(request, from ?? '192.0.2.1');
  const response = await api.handle(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request with a JSON body. */
export const sending = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The header that proves a session. */
export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
