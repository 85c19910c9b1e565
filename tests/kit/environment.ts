import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * What a program needs of this machine to run at all, where npm keeps what it fetched and how it reaches its registry; the
 * settings of the site that happen to be set here are not.
 */
const needed = [
  ...['PATH', 'HOME', 'USER', 'TMPDIR', 'TEMP', 'LANG', 'SystemRoot'],
  ...['npm_config_cache', 'npm_config_prefix', 'npm_config_registry', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];

/** The PATH without any folder that holds a bun. */
export const pathWithoutBun = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !existsSync(join(path, 'bun')))
    .join(delimiter);

/** Where the servers of one run keep what they drew; undefined: each for itself. */
export const sharedPictures = (): string | undefined => process.env.TEST_PICTURES;

/** The environment of a child that knows only these settings of the site. */
export function environment(settings: Record<string, string>): Record<string, string> {
  const passedOn: Record<string, string> = {};
  for (const name of needed) {
    const value = process.env[name];
    if (value !== undefined) passedOn[name] = value;
  }
  return { ...passedOn, ...settings };
}
