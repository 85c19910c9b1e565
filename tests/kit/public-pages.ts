import { staticPages } from '#site/routes.ts';

/** Every kind of public page, behind its language, with the states that an address can name; of the demo's world. */
export const publicPages: readonly string[] = [
  '',
  '?offset=20',
  '/article/48',
  '/article/15',
  '/article/2147483647',
  '/star/1',
  '/star/11?tab=photos',
  '/star/3?tab=achievements',
  '/star/1?tab=articles',
  '/search',
  '/search?q=pado',
  '/search?q=zzzzzz',
  '/category/idol',
  '/events',
  '/events?tab=upcoming',
  '/events?tab=trending',
  '/events/1',
  '/events/20',
  '/community',
  '/community?search=zzzzzz',
  '/community/1',
  '/star/1?tab=photos',
  ...staticPages.map((slug) => `/${slug}`),
];
