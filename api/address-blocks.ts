import { BlockList, isIP, isIPv6 } from 'node:net';

/** IPv4 as IPv6 says it (`::ffff:10.0.0.1`) in its own form; any other address as it is. */
export const unmapIpv4 = (address: string): string =>
  address.toLowerCase().match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1] ?? address;

/** Addresses and CIDR blocks that a setting names, to be asked whether an address is among them. */
export function addressBlocks(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
