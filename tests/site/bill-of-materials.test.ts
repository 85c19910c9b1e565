import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { writeBillOfMaterials } from '#site/launch/bill-of-materials.ts';
import { ensureBuilt } from '#site/launch/build.ts';
import { root } from '#site/launch/root.ts';
import { contention } from '#tests/kit/contention.ts';

interface Bom {
  metadata: { component: { 'bom-ref': string } };
  components: { name: string; version: string; 'bom-ref': string; licenses: object[]; purl: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

test('a build writes what the site is made of, by the schema of CycloneDX 1.6, the same each time', async () => {
  await ensureBuilt();
  const text = readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8');
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  const { metadata, components, dependencies }: Bom = JSON.parse(text);

  const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } =
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needsOf = (ref: string) => dependencies.find((each) => each.ref === ref)?.dependsOn;
  expect(needsOf(metadata.component['bom-ref'])?.sort()).toEqual(Object.keys(manifest.dependencies).sort());
  expect(components.map(({ name }) => name)).not.toContain('@playwright/test');
  // What a package needs of another version than the site has.
  const own = components.filter(({ name }) => name === 'i18next');
  expect(own.map(({ purl }) => purl)).toContain(`pkg:npm/i18next@${manifest.dependencies.i18next}`);
  for (const name of Object.keys(manifest.dependencies)) {
    const { version }: { version: string } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    );
    expect(components.find((each) => each['bom-ref'] === name)).toMatchObject({ name, version });
  }
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);

  const began = performance.now();
  writeBillOfMaterials();
  expect(performance.now() - began).toBeLessThan(5_000 * contention());
  expect(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')).toBe(text);
}, 120_000);
