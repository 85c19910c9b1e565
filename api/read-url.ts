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
  if (!parsed || !protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`))) {
    throw new ConfigError(
      setting,
      `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
  if (![parsed.username, parsed.password, parsed.hostname].every(isDecodable)) {
    throw new ConfigError(
      setting,
      'has a % in its user, password or host that encodes no character: write %25 for one that is meant as such.',
    );
  }
  return value;
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** BUS_URL. @throws ConfigError */
export function readBusUrl(value: string | undefined): string | undefined {
  const address = readUrl('BUS_URL', value, ['redis:', 'rediss:', 'valkey:']);
  if (address === undefined) return undefined;
  const { hostname, pathname } = new URL(address);
  if (hostname === '') throw new ConfigError('BUS_URL', 'must name a host, such as redis://127.0.0.1:6379.');
  if (!/^(?:\/\d*)?$/.test(pathname))
    throw new ConfigError(
      'BUS_URL',
      'must have nothing behind its host and port, or the number of a database.',
    );
  return address;
}
