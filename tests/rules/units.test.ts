import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#site/launch/root.ts';
import { layerCode } from './sources.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What a unit says, without what is of the app or the worker alone. */
const sharedLines = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .filter((line) => !/^(?:Description|Environment|ExecStart|ExecReload)=/.test(line));

test('a worker may do what an app may, and no more', () => {
  expect(sharedLines('deploy/byeol-worker.service')).toEqual(sharedLines('deploy/byeol@.service'));
});

test('what the units hide of /proc the site does not read', () => {
  expect(sharedLines('deploy/byeol@.service')).toContain('ProcSubset=pid');
  const hidden = layerCode().flatMap(({ path, text }) =>
    [...text.matchAll(/[`'"]\/proc\/(?!self\/|\$\{)[^`'"]*/g)].map(([read]) => `${path} ${read}`),
  );
  expect(hidden).toEqual([]);
});

test('every unit that an operator is told of is there', () => {
  const texts = [
    'docs/operating.md',
    ...readdirSync(join(root, 'docs/operating')).map((each) => `docs/operating/${each}`),
  ];
  const named = texts.flatMap((file) => [...read(file).matchAll(/systemctl [a-z -]*?(byeol[\w-]*)(@?)/g)]);
  const units = new Set(named.map(([, name, instance]) => `${name}${instance}`));
  const watched = [...read('docs/operating/alerts.yaml').matchAll(/name="([^"]+)\.service"/g)];
  for (const [, unit = ''] of watched) units.add(unit);
  expect(watched).toHaveLength(1);
  expect([...units].filter((unit) => !existsSync(join(root, 'deploy', `${unit}.service`)))).toEqual([]);
  expect(units).toContain('byeol-worker');
});

test('Prometheus asks every process of the site that is set up by the text', () => {
  const apps =
    read('docs/operating.md')
      .match(/^systemctl enable --now ((?:byeol@\d ?)+)$/m)?.[1]
      ?.trim()
      .split(' ') ?? [];
  const processes = Number(read('docs/operating.md').match(/^# {3}PROCESSES=(\d)$/m)?.[1]);
  const watching = read('docs/operating/watching.md');
  const first = Number(watching.match(/METRICS_PORT=(\d+)/)?.[1]);
  const asked = [...(watching.match(/- targets: \[(.*)\]/)?.[1] ?? '').matchAll(/127\.0\.0\.1:(\d+)/g)].map(
    ([, port]) => Number(port),
  );
  expect(asked).toEqual(Array.from({ length: apps.length * processes }, (_, n) => first + n));
  expect(asked).toHaveLength(4);
});
