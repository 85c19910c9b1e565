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

/** The parts of an address's path; undefined where one is none. */
export function readPath<Name extends RouteName>(
  name: Name,
  params: Readonly<Partial<Record<string, string>>>,
): PathParametersOf<Name> {
  const readers: Readonly<Record<string, (value: string | undefined) => unknown>> = pathParameters;
  const values = partsOf(routes[name].path).map((part) => [part, readers[part]?.(params[part])]);
  return Object.fromEntries(values) as PathParametersOf<Name>;
}
