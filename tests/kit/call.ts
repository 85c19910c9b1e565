import { api } from '#api/app.ts';
import { registerConnection } from '#api/plugins/client.ts';
import {
  type AnyCall,
  type ApiAnswer,
  type ApiCall,
  type ApiMethod,
  type ApiPath,
  type ApiResponse,
  type CallArguments,
  readResponse,
  requestOf,
} from '#site/lib/http/api-call.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, undefined when it is none. */
  json: unknown;
}

async function send(path: string, { from, ...init }: RequestInit & { from?: string }): Promise<Response> {
  const request = new Request(`http://localhost:4321${path}`, init);
  registerConnection(request, from ?? '192.0.2.1');
  return api.handle(request);
}

/**
 * Knocks at the API's door as a client over HTTP does, also with what no client of ours would send. `from` is the address of
 * the socket.
 */
export async function call(path: string, init: RequestInit & { from?: string } = {}): Promise<Answer> {
  const response = await send(path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/**
 * Calls the API by its contract, as islands and forms do:
 * `const { status, answer } = await typedCall('get', '/api/stars/:id/profile', { params: { id } })`.
 */
export function typedCall<M extends ApiMethod, const P extends ApiPath<M>>(
  method: M,
  path: P,
  ...call: CallArguments<ApiCall<M, P>>
): Promise<ApiResponse<ApiAnswer<M, P>>>;
export async function typedCall(
  method: ApiMethod,
  path: string,
  options: AnyCall = {},
): Promise<ApiResponse> {
  return readResponse(await send(...requestOf(method, path, options)));
}

/** The answer to a call that the API is to do. @throws Error when it said no */
export async function answerOf<Answer>(response: Promise<ApiResponse<Answer>>): Promise<Answer> {
  const { status, answer, error } = await response;
  if (error) throw new Error(`${status} ${error.code}: ${error.error}`);
  return answer;
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
