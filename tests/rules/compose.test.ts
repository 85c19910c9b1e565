import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '#site/launch/root.ts';

interface Composed {
  services: Record<string, { networks?: string[] | Record<string, { ipv4_address?: string }> }>;
  networks: Record<string, { ipam?: { config: { subnet: string; ip_range?: string; gateway?: string }[] } }>;
}

const composed: Composed = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true });

function contains(range: string, address: string): boolean {
  const [network = '', bits] = range.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return isIP(address) === 4 && list.check(address);
}

test('an address that compose.yaml gives to a container is given to no other', () => {
  const fixed = Object.entries(composed.services).flatMap(([service, { networks = [] }]) =>
    Array.isArray(networks)
      ? []
      : Object.entries(networks).flatMap(([network, { ipv4_address: address }]) =>
          address === undefined ? [] : [{ service, network, address }],
        ),
  );
  expect(fixed.map(({ service }) => service)).toEqual(['proxy']);
  for (const { network, address } of fixed) {
    const [pool] = composed.networks[network]?.ipam?.config ?? [];
    if (!pool?.ip_range || !pool.gateway) throw new Error(`${network} says no ip_range or gateway`);
    expect(contains(pool.subnet, address)).toBeTrue();
    expect(contains(pool.subnet, pool.gateway)).toBeTrue();
    expect(contains(pool.subnet, pool.ip_range.split('/')[0] ?? '')).toBeTrue();
    // Docker gives the lowest free address of the range to whoever starts first.
    expect(contains(pool.ip_range, address)).toBeFalse();
    expect(pool.gateway).not.toBe(address);
  }
});
