import { resolve } from 'node:path';

/** The project's folder, wherever a command was called from. */
export const root = resolve(import.meta.dir, '../..');
