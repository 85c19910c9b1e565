import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import i18next from 'astro-i18next';
import { playerOrigins } from './content/embed-platforms.ts';
import { compressFiles } from './site/lib/http/compress-files.ts';
import { compileInlineScripts, inlineScriptFiles } from './site/lib/pages/compile-inline-scripts.ts';
import { redirectPaths } from './site/lib/routes/match-route.ts';

const redirectScreen = new URL('./site/components/states/RedirectScreen.astro', import.meta.url);
const ownServer = fileURLToPath(new URL('./site/server.ts', import.meta.url));

/** Our entry takes the place of the adapter's: ready bytes in front of Astro answer twice as many hot pages as its own cache. */
const serverEntry = {
  name: 'byeol:server-entry',
  enforce: /** @type {const} */ ('post'),
  configEnvironment(name, options) {
    if (name !== 'ssr') return;
    const rollup = options.build?.rolldownOptions ?? options.build?.rollupOptions;
    if (rollup) rollup.input = { index: ownServer };
  },
};

/**
 * Packages go into the build of the server: read one by one, their 1,500 modules took a fifth of the processor time of a start and 8 MB
 * of each process (`docs/operating/figures.md`). What is compiled for a machine stays beside it, and the one i18next, which a
 * test counts from outside.
 */
const bundledPackages = {
  name: 'byeol:bundled-packages',
  apply: /** @type {const} */ ('build'),
  configEnvironment: (name) =>
    name === 'ssr' ? { resolve: { noExternal: true, external: ['sharp', 'i18next'] } } : undefined,
};

/** Every address that leads on without its language has one screen: `site/routes.ts` names them, no file stands for each. */
const redirectScreens = {
  name: 'byeol:redirect-screens',
  hooks: {
    /** @param {Pick<import('astro').HookParameters<'astro:config:setup'>, 'injectRoute'>} setup */
    'astro:config:setup': ({ injectRoute }) => {
      for (const path of redirectPaths) {
        const pattern = path.replace(/:(\w+)/g, '[$1]');
        injectRoute({ pattern, entrypoint: redirectScreen, prerender: false });
      }
    },
  },
};

/** What a browser gets compressed is compressed when it is built. */
const compressedFiles = {
  name: 'byeol:compressed-files',
  hooks: {
    /** @param {Pick<import('astro').HookParameters<'astro:build:done'>, 'dir'>} built */
    'astro:build:done': ({ dir }) => compressFiles(dir),
  },
};

/** Words are read as the server starts: in development it starts anew when one is written. */
const wordsAnew = {
  name: 'byeol:words-anew',
  hooks: {
    /** @param {Pick<import('astro').HookParameters<'astro:config:setup'>, 'addWatchFile'>} setup */
    'astro:config:setup': ({ addWatchFile }) => {
      for (const file of globSync('content/locales/*/*.json')) addWatchFile(new URL(file, import.meta.url));
    },
  },
};

/** What every page's script shares is one file: a phone asks once instead of seven times (quality §Speed). */
const oneShellFile = {
  name: 'byeol:one-shell-file',
  configEnvironment(name) {
    if (name !== 'client') return undefined;
    const shared =
      /[\\/](?:nanostores[\\/](?!listen-keys|deep-map)|site[\\/]stores[\\/](?:clock|favourites|preferences|session|stored-atom)|site[\\/]i18n[\\/]age|content[\\/](?:locales|site)\.ts)|site[\\/](?:client[\\/](?:press|storage|toast)|components[\\/]common[\\/]ages\.client)\.ts|preload-helper|rolldown.runtime/;
    // What every island shares, which the channel of a star asks for at once.
    const islands =
      /[\\/]node_modules[\\/](?:react|react-dom|react-error-boundary|scheduler|@tanstack[\\/][a-z-]+|@nanostores[\\/]react)[\\/]|[\\/]nanostores[\\/](?:listen-keys|deep-map)|site[\\/](?:islands[\\/]boundary[\\/]|lib[\\/]pages[\\/]torn-constellation)|content[\\/]limits\.ts/;
    // Small files that one page would ask for one by one.
    const eventParts =
      /[\\/]site[\\/](?:stores[\\/]events|components[\\/](?:events[\\/](?:Ticket|Countdown|reveal-current)|star[\\/]follow-on-demand)\.client)\.ts/;
    return {
      build: {
        modulePreload: false,
        rolldownOptions: {
          preserveEntrySignatures: 'allow-extension',
          output: {
            // A page's scripts name a dozen of them, and nothing compresses a hash: seven signs are as good as eight.
            chunkFileNames: ({ name }) => `_astro/${name.replace('.client', '')}.[hash:7].js`,
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'shell', test: shared },
                { name: 'events', test: eventParts },
                { name: 'islands', test: islands },
              ],
            },
          },
        },
      },
    };
  },
};

/** Scripts that stand in pages are compiled when the server is built, or theirs is saved in development, and not as it starts. */
const inlineScripts = {
  name: 'byeol:inline-scripts',
  load: {
    filter: { id: /[\\/]site[\\/]lib[\\/]pages[\\/]inline-scripts\.ts$/ },
    async handler() {
      for (const file of Object.values(inlineScriptFiles)) this.addWatchFile(file);
      return `export const inlineScripts = ${JSON.stringify(await compileInlineScripts())};`;
    },
  },
};

/**
 * Vite's helper for dynamic imports preloads style sheets; what we import so has none of its own, so it is a plain call, and where
 * there is nothing to preload the import itself. The helper is 616 bytes (brotli) of the 5 kB that every page's script may have, and no
 * option of Vite's leaves it out.
 */
const plainDynamicImports = {
  name: 'byeol:plain-dynamic-imports',
  enforce: /** @type {const} */ ('pre'),
  load: {
    filter: { id: /preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
  generateBundle: {
    order: /** @type {const} */ ('post'),
    /** @type {(options: unknown, bundle: Record<string, { type: string, code?: string }>) => void} */
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code?.replace(/(?<![\w$.])[\w$]+\(\(\)=>(import\(`[^`]+`\)),\[\]\)/g, '$1');
    },
  },
};

/** Components of several pages whose rules are one sheet, so that a page asks for one beside that of all pages (`global`). */
const areas = {
  global:
    /[\\/]site[\\/](?:styles[\\/]global|layouts[\\/]Page|components[\\/](?:common|feed|states|accounts[\\/]UserMenu|events[\\/](?:CalendarFeed|Countdown|Ticket))|islands[\\/](?:boundary|star-filter)|pages[\\/]\[lang\][\\/]index)\b.*\.css$/,
  accounts: /[\\/]site[\\/](?:components[\\/]accounts|pages[\\/](?:login|profile))\b.*\.css$/,
  admin:
    /[\\/]site[\\/](?:layouts[\\/]Admin|components[\\/]admin|islands[\\/]verification|pages[\\/]admin)\b.*\.css$/,
  article:
    /[\\/]site[\\/](?:components[\\/](?:article|embeds)|pages[\\/](?:\[lang\][\\/]article|test-embeds))\b.*\.css$/,
  events:
    /[\\/]site[\\/](?:components[\\/]events[\\/](?!EventDetails|ReminderSettings)|islands[\\/]calendar[\\/]|pages[\\/]\[lang\][\\/]events[\\/]index).*\.css$/,
};

/** Rules stand in their component (`site/README.md`): whichever a page reads first says the order of the layers. */
const componentStyles = {
  name: 'byeol:component-styles',
  configEnvironment(name) {
    if (name !== 'ssr') return undefined;
    const groups = Object.entries(areas).map(([name, test]) => ({ name, test }));
    return { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } };
  },
  transform: {
    filter: { id: { include: /\.css$/, exclude: /[\\/]global\.css$/ } },
    handler: (code) => `@layer theme, base, controls, components, pages, utilities;${code}`,
  },
};

const eagerScript = '<script type="module" src=';

/**
 * Astro's module scripts are asked for after what a person sees: without the attribute a browser fetches them as eagerly as
 * the style sheets and the hero picture, and the first paint of a slow phone waits a fifth of a second longer (quality §Speed).
 */
const quietScripts = {
  name: 'byeol:quiet-scripts',
  transform: {
    filter: { id: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]script\.js/ },
    handler(code) {
      if (!code.includes(eagerScript)) throw new Error('Astro writes its scripts in another way now');
      return code.replaceAll(eagerScript, eagerScript.replace(' src', ' fetchpriority="low" src'));
    },
  },
};

const pageToBytes = `    body = encoder.encode(body);
    headers.set("Content-Length", body.byteLength.toString());
`;

/**
 * A page stays text until the page cache has put its styles in: Astro would encode it, and we would decode, change and encode it
 * again. Without that and with brotli on the same thread a first render takes 0.8 to 0.9 of its processor time (`docs/operating/figures.md`).
 */
const pagesAsText = {
  name: 'byeol:pages-as-text',
  transform: {
    filter: { id: /astro[\\/]dist[\\/]runtime[\\/]server[\\/]render[\\/]page\.js/ },
    handler(code) {
      if (!code.includes(pageToBytes)) throw new Error('Astro encodes its pages in another way now');
      return code.replace(pageToBytes, '');
    },
  },
};

export default defineConfig({
  srcDir: './site',
  publicDir: './site/public',
  outDir: './dist',
  output: 'server',
  trailingSlash: 'never',
  adapter: node({ mode: 'standalone' }),
  integrations: [react(), i18next(), wordsAnew, redirectScreens, compressedFiles],
  fetchFile: 'fetch',
  session: false,
  cache: {
    provider: { name: 'byeol', entrypoint: new URL('./site/lib/cache/cache-provider.ts', import.meta.url) },
  },
  security: {
    checkOrigin: false,
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' data:",
        `frame-src ${playerOrigins().join(' ')}`,
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ],
      scriptDirective: {
        resources: ["'self'"],
        hashes: Object.values(await compileInlineScripts()).map(({ hash }) => hash),
      },
      styleDirective: { resources: ["'self'", { resource: "'unsafe-inline'", kind: 'attribute' }] },
    },
  },
  build: { inlineStylesheets: 'never', assets: '_astro' },
  prefetch: false,
  devToolbar: { enabled: false },
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  vite: {
    plugins: [
      tailwindcss(),
      serverEntry,
      bundledPackages,
      oneShellFile,
      componentStyles,
      inlineScripts,
      plainDynamicImports,
      quietScripts,
      pagesAsText,
    ],
    build: { assetsInlineLimit: 0 },
  },
});
