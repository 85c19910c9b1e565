import type { AnyElysia } from 'elysia';

/** Elysia's own router, which knows each route of the finished API. */
type Router = AnyElysia['router'];

/** Which methods each path of the API takes, for 405 and OPTIONS (decision S8). */
const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

let router: Router | undefined;
/** By what the router keeps of a route. */
let patterns: ReadonlyMap<object | number, string> = new Map();

/** Learns the finished API's routes; `api/app.ts` calls it once. */
export function registerRoutes({
  router: finishedRouter,
  routes,
}: Pick<AnyElysia, 'router' | 'routes'>): void {
  router = finishedRouter;
  patterns = new Map(
    routes.flatMap(({ method, path }) => {
      // The path itself is one of its addresses: `/stars/:id` is that of a star called `:id`.
      const entry = routeEntry(method, path);
      return entry === undefined ? [] : [[entry, path] as const];
    }),
  );
}

/** `/api/stars/:id/profile`: the route of a call, without what its address names; undefined when there is none. */
export function routePattern(method: string, path: string): string | undefined {
  const entry = routeEntry(method === 'HEAD' ? 'GET' : method, path);
  return entry === undefined ? undefined : patterns.get(entry);
}

/**
 * What Elysia's router keeps of the route of a path: the same value for all its addresses. Undefined when no route has this
 * method and path.
 */
export function routeEntry(method: string, path: string): object | number | undefined {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  return router?.static[plain]?.[method] ?? router?.http.find(method, plain)?.store;
}

/** The value of `Allow` for a path, or undefined when no route has it. */
export function allowedMethods(path: string): string | undefined {
  const methods = new Set(order.filter((method) => routeEntry(method, path) !== undefined));
  if (methods.size === 0) return undefined;
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return order.filter((method) => methods.has(method)).join(', ');
}
