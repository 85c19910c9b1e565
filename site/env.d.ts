declare namespace App {
  interface Locals {
    /** Of the page, its parts and the error page in its place (`fetch.ts`). */
    lang: import('#content/locales.ts').Lang;
  }
}

/** What integrations ask Astro to run before every page (`injectScript('page-ssr', …)`). */
declare module 'astro:scripts/page-ssr.js';

/** It has types, which its `exports` keep from the compiler. Named here is what may be used (`tests/rules/words.test.ts`). */
declare module 'astro-i18next' {
  type Package = typeof import('../node_modules/astro-i18next/dist/types/index.js');
  const integration: Package['default'];
  export default integration;
  export const initAstroI18next: Package['initAstroI18next'];
  export const localizePath: Package['localizePath'];
  export type AstroI18nextConfig = Parameters<Package['initAstroI18next']>[0];
}

/** Only in visits that are measured (`layouts/pick-visit.inline.ts`). */
interface Window {
  /** Loads a file once the page is there and has come to rest. */
  measure?: (load: () => Promise<unknown>) => void;
  /** Errors that nothing caught. */
  failures?: Event[];
}
