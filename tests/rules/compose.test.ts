import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '#site/launch/root.ts';

interface Service {
  networks?: string[] | Record<string, { ipv4_address?: string }>;
  environment?: Record<string, string>;
  ports?: string[];
}

interface Composed {
  services: Record<string, Service>;
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

test('the site of compose.yaml is told who asks: it believes the proxy alone, to whom nobody comes by another address of Docker', () => {
  const { proxy, ...others } = composed.services;
  const networks = Array.isArray(proxy?.networks) ? {} : (proxy?.networks ?? {});
  const address = networks.outside?.ipv4_address ?? 'none';
  const trusted = Object.values(others).flatMap(({ environment }) => environment?.TRUSTED_PROXIES ?? []);
  expect(trusted).toEqual([address, address, address]);
  // The network has no IPv6: Docker would take who comes by it for its gateway.
  expect(proxy?.ports?.filter((port) => !port.startsWith('0.0.0.0:'))).toEqual([]);
});
