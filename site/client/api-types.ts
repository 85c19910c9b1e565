/** The types of `callApi`, read off the API itself. */
import type { App } from '#api/app.ts';

type Routes = App['~Routes'];
export type Method = 'get' | 'post' | 'put' | 'delete';

/** Every path of the API that takes a method, such as `/api/stars/:id/profile`. */
type Paths<Tree, M extends Method, Prefix extends string = ''> = {
  [Part in keyof Tree & string]: Part extends Method
    ? Part extends M
      ? Prefix
      : never
    : Paths<Tree[Part], M, `${Prefix}/${Part}`>;
}[keyof Tree & string];
export type ApiPath<M extends Method> = Paths<Routes, M>;

type At<Tree, Path extends string> = Path extends `/${infer Part}/${infer Rest}`
  ? Part extends keyof Tree
    ? At<Tree[Part], `/${Rest}`>
    : never
  : Path extends `/${infer Part}`
    ? Part extends keyof Tree
      ? Tree[Part]
      : never
    : never;
type Route<M extends Method, P extends string> = M extends keyof At<Routes, P> ? At<Routes, P>[M] : never;
type Part<R, Name extends string> = Name extends keyof R ? R[Name] : never;

/** What the API answers to a call that succeeds. */
export type ApiAnswer<M extends Method, P extends string> =
  Part<Route<M, P>, 'response'> extends { 200: infer Answer } ? Answer : never;

type Needed<Name extends string, Value> = keyof Value extends never ? object : { [Key in Name]: Value };
type Loose<Value> = keyof Value extends never ? object : { query?: { [Key in keyof Value]?: Value[Key] } };

/** What a call sends: `params` and `body` where the route has them; whatever its query takes may be left out. */
export type ApiCall<M extends Method, P extends string> = {
  headers?: Record<string, string>;
} & Needed<'params', Part<Route<M, P>, 'params'>> &
  Needed<'body', Part<Route<M, P>, 'body'>> &
  Loose<Part<Route<M, P>, 'query'>>;
