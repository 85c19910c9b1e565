import { fileURLToPath } from 'node:url';
import { languages } from '#content/locales.ts';
import { sessionMark, storageKey } from '#content/site.ts';
import { measuredShare } from '#content/vitals.ts';
import { cspHash } from './csp-hash.ts';

/** A script as pages carry it, and how their policy names it. */
export interface InlineScript {
  source: string;
  hash: ReturnType<typeof cspHash>;
}

/** Where they stand. */
export const inlineScriptFiles = {
  beforePaint: fileOf('../../layouts/before-paint.inline.ts'),
  storedLanguage: fileOf('../../layouts/stored-language.inline.ts'),
  pickVisit: fileOf('../../layouts/pick-visit.inline.ts'),
  writeSheets: fileOf('./write-sheets.inline.ts'),
  redirect: fileOf('../../components/states/RedirectScreen.inline.ts'),
};

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** What they declare and find in no browser. */
const declared = {
  __STORAGE_KEY__: JSON.stringify(storageKey),
  __SESSION_MARK__: JSON.stringify(sessionMark),
  __MEASURED_SHARE__: String(measuredShare),
  __LANGUAGES__: JSON.stringify(languages),
};

const scriptOf = (source: string): InlineScript => ({ source, hash: cspHash(source) });

async function compile(entrypoint: string): Promise<InlineScript> {
  const { outputs } = await Bun.build({
    entrypoints: [entrypoint],
    define: declared,
    target: 'browser',
    minify: true,
  });
  const text = (await outputs[0]?.text()) ?? '';
  // Bun's own `iife` would bring what a module needs that others import.
  return scriptOf(`(()=>{${text.trim().replace(/;$/, '')}})()`);
}

/**
 * The scripts that stand in pages themselves, compiled. Nothing of them is loaded, so that what they do is done before anything
 * is painted, or where a page could not go on without it.
 */
export async function compileInlineScripts() {
  const { beforePaint, storedLanguage, pickVisit, writeSheets, redirect } = inlineScriptFiles;
  return {
    beforePaint: await compile(beforePaint),
    storedLanguage: await compile(storedLanguage),
    pickVisit: await compile(pickVisit),
    writeSheets: await compile(writeSheets),
    // Behind style sheets in the body: a browser that would go on without them waits for them before it runs a script, be it
    // one that does nothing.
    waitForSheets: scriptOf(';'),
    redirect: await compile(redirect),
  };
}
