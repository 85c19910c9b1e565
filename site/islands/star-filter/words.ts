import type boundary from '#content/locales/en/boundary.json';
import type filter from '#content/locales/en/filter.json';

/** The filter area's words and its boundary's. */
export type StarFilterWords = typeof filter & typeof boundary;
