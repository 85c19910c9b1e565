import { ConfigError } from './config-error.ts';

/**
 * The address that a setting says, as it was written.
 * @throws ConfigError, which tells no password
 */
export function readUrl(
  setting: string,
  value: string | undefined,
  protocols: readonly string[],
): string | undefined {
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (!parsed && protocols.some((protocol) => value.startsWith(`${protocol}//`))) {
    throw new ConfigError(
      setting,
      'cannot be read as an address: check the port, and percent-encode special characters of the password, such as # as %23.',
    );
  }
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new ConfigError(
      setting,
      `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
  return value;
}
