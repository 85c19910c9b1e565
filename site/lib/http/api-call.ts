/**
 * The one contract of calls to the API, read off the API itself: a path, parameter or field that it does not have does not
 * compile. Browsers send a call by `site/client/api.ts`, forms without JavaScript by `site/lib/accounts/forms.ts`, tests by
 * `tests/kit/call.ts`.
 */
import type { App } from '#api/app.ts';
import type { ErrorAnswer } from '#api/shapes.ts';

type Routes = App['~Routes'];
export type ApiMethod = 'get' | 'post' | 'put' | 'delete';

/** Every path of the API that takes a method, such as `/api/stars/:id/profile`. */
type Paths<Tree, M extends ApiMethod, Prefix extends string = ''> = {
  [Part in keyof Tree & string]: Part extends ApiMethod
    ? Part extends M
      ? Prefix
      : never
    : Paths<Tree[Part], M, `${Prefix}/${Part}`>;
}[keyof Tree & string];
export type ApiPath<M extends ApiMethod> = Paths<Routes, M>;

type At<Tree, Path extends string> = Path extends `/${infer Part}/${infer Rest}`
  ? Part extends keyof Tree
    ? At<Tree[Part], `/${Rest}`>
    : never
  : Path extends `/${infer Part}`
    ? Part extends keyof Tree
      ? Tree[Part]
      : never
    : never;
type Route<M extends ApiMethod, P extends string> = M extends keyof At<Routes, P> ? At<Routes, P>[M] : never;
type Part<R, Name extends string> = Name extends keyof R ? R[Name] : never;

/** What the API answers to a call that succeeds. */
export type ApiAnswer<M extends ApiMethod, P extends string> =
  Part<Route<M, P>, 'response'> extends { 200: infer Answer } ? Answer : never;

type Needed<Name extends string, Value> = keyof Value extends never ? object : { [Key in Name]: Value };
type Loose<Value> = keyof Value extends never ? object : { query?: { [Key in keyof Value]?: Value[Key] } };

/** What a call sends: `params` and `body` where the route has them; whatever its query takes may be left out. */
export type ApiCall<M extends ApiMethod, P extends string> = {
  headers?: Record<string, string>;
} & Needed<'params', Part<Route<M, P>, 'params'>> &
  Needed<'body', Part<Route<M, P>, 'body'>> &
  Loose<Part<Route<M, P>, 'query'>>;

/** The last argument of whatever sends a call: it may be left out where nothing of it is needed. */
export type CallArguments<Call> = keyof Call extends never
  ? []
  : object extends Call
    ? [call?: Call]
    : [call: Call];

/** A call when its types have done their work. */
export interface AnyCall {
  headers?: Record<string, string>;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function addressOf(path: string, { params = {}, query = {} }: AnyCall): string {
  const filledPath = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(asText(params[name])));
  const presentParameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(presentParameters.map(([name, value]) => [name, asText(value)]));
  return presentParameters.length > 0 ? `${filledPath}?${search}` : filledPath;
}

/** What `fetch` takes for a call: its address on this site, and method, headers and JSON. Lists in a query go as JSON text. */
export function requestOf(
  method: ApiMethod,
  path: string,
  call: AnyCall,
): [address: string, init: RequestInit] {
  const { body, headers } = call;
  return [
    addressOf(path, call),
    {
      method: method.toUpperCase(),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  ];
}

interface ResponseHead {
  status: number;
  headers: Headers;
  /** Seconds after which to come back; 0 when the API named none. */
  retryAfter: number;
}
/** The API said no (decision S8). */
export type ApiRefusal = ResponseHead & { answer?: undefined; error: ErrorAnswer };
/** What the API said, for those who have no use for an exception: `answer`, or `error` when it said no. */
export type ApiResponse<Answer = unknown> =
  | (ResponseHead & { answer: Answer; error?: undefined })
  | ApiRefusal;

/** What came back, read: the API says everything in JSON, a refusal too. */
export async function readResponse<Answer>(response: Response): Promise<ApiResponse<Answer>> {
  const { status, headers } = response;
  const head = { status, headers, retryAfter: Number(headers.get('retry-after') ?? 0) };
  return response.ok ? { ...head, answer: await response.json() } : { ...head, error: await response.json() };
}
