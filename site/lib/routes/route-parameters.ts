import {
  type PathParametersOf,
  partsOf,
  pathParameters,
  type QueryOf,
  type Route,
  type RouteName,
  routes,
} from '../../routes.ts';

/** The query of an address as its page's row declares it (`site/routes.ts`): nothing else of it is read. */
export function readQuery<Name extends RouteName>(name: Name, { searchParams }: URL): QueryOf<Name> {
  const { query }: Route = routes[name];
  const values = Object.entries(query).map(([parameter, { isList, read }]) => {
    const text = isList ? searchParams.getAll(parameter).join(',') || null : searchParams.get(parameter);
    return [parameter, read(text)];
  });
  return Object.fromEntries(values) as QueryOf<Name>;
}

const readers: Readonly<Record<string, (value: string | undefined) => unknown>> = pathParameters;

/** Whether each part of an address's path can be one: `/star/abc` is nobody's, whatever the language. */
export const isValidPath = (params: Readonly<Partial<Record<string, string>>>): boolean =>
  Object.entries(params).every(([part, value]) => readers[part]?.(value) !== undefined);

/** The parts of an address's path; undefined where one is none. */
export function readPath<Name extends RouteName>(
  name: Name,
  params: Readonly<Partial<Record<string, string>>>,
): PathParametersOf<Name> {
  const values = partsOf(routes[name].path).map((part) => [part, readers[part]?.(params[part])]);
  return Object.fromEntries(values) as PathParametersOf<Name>;
}
