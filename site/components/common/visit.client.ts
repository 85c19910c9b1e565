/** Measures how a visit goes and tells it, once, as the page is left: no identity, no address. Loaded in few visits. */
import { onCLS, onINP, onLCP } from 'web-vitals';
import type { VisitInput } from '#api/vitals/model.ts';
import type { PageKind } from '#content/vitals.ts';
import type { ApiPath } from '../../lib/http/api-call.ts';

const call = '/api/vitals' satisfies ApiPath<'post'>;
const maxErrors = 5;

/** Kinds by what follows the language, where one thing has a page of its own and where all of them have one. */
const kinds: Readonly<Record<string, readonly [one: PageKind, all: PageKind]>> = {
  article: ['article', 'other'],
  star: ['star', 'other'],
  category: ['category', 'other'],
  search: ['other', 'search'],
  events: ['event', 'events'],
  community: ['channel', 'community'],
};

/** `article` of `/ko/article/7`. */
function pageKind(path: string): PageKind {
  const [, , area = '', id] = path.split('/');
  if (path.length === 3) return 'home';
  return kinds[area]?.[id ? 0 : 1] ?? 'other';
}

/** Of an error its class, and where in our own files: its words may be somebody's. Those of extensions are not ours. */
function errorsOf(failure: Event): VisitInput['errors'] {
  const isScript = failure instanceof ErrorEvent;
  const error: unknown = isScript ? failure.error : Reflect.get(failure, 'reason');
  const file = isScript ? failure.filename : '';
  if (isScript && !file.startsWith(location.origin)) return [];
  const at = file.match(/\/_astro\/[\w.-]+$/)?.[0];
  return [
    {
      kind: isScript ? 'script' : 'promise',
      name: error instanceof Error ? error.name : undefined,
      at: isScript && at ? `${at}:${failure.lineno}:${failure.colno}` : undefined,
    },
  ];
}

const { failures = [] } = window;
const visit: VisitInput = { page: pageKind(location.pathname), errors: [] };
const options = { reportAllChanges: true };
onLCP(({ value }) => (visit.lcp = value), options);
onINP(({ value }) => (visit.inp = value), options);
onCLS(({ value }) => (visit.cls = value), options);
let isTold = false;
document.addEventListener('visibilitychange', () => {
  if (isTold || document.visibilityState !== 'hidden') return;
  isTold = true;
  visit.errors = failures.flatMap(errorsOf).slice(0, maxErrors);
  navigator.sendBeacon(call, new Blob([JSON.stringify(visit)], { type: 'application/json' }));
});
