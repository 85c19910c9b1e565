/** Which methods each path of the API takes, for 405 and OPTIONS (decision S8). */

interface Route {
  method: string;
  path: string;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

let known: { pattern: RegExp; methods: Set<string> }[] = [];

/** Learns the finished API's routes; `api/app.ts` calls it once. */
export function learnRoutes(routes: readonly Route[]): void {
  const byPath = Map.groupBy(routes, ({ path }) => path.replace(/\/$/, ''));
  known = [...byPath].map(([path, same]) => ({
    pattern: patternOf(path),
    methods: new Set(same.map(({ method }) => method.toUpperCase())),
  }));
}

/** Matches the addresses of a route's path. */
export function patternOf(path: string): RegExp {
  const escaped = path.replace(/\/$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]+')}/?$`);
}

/** The value of `Allow` for a path, or undefined when no route has it. */
export function allowedMethods(path: string): string | undefined {
  const methods = new Set(
    known
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods].filter((method) => order.includes(method))),
  );
  if (methods.size === 0) return undefined;
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return order.filter((method) => methods.has(method)).join(', ');
}
