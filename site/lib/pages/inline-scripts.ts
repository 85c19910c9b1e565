import { compileInlineScripts } from './compile-inline-scripts.ts';

/** The scripts that stand in pages themselves. The server has them ready: its build puts what they came to in the place of this file. */
export const inlineScripts = await compileInlineScripts();
