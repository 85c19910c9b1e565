import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import parseLicence from 'spdx-expression-parse';
import { type InstalledPackage, productionPackages } from './packages.ts';
import { root } from './root.ts';

/**
 * What the site is made of, as CycloneDX 1.6 (ECMA-424) in JSON, for whoever must know whether a package with a fault is in it. Beside what
 * the server gives away, and the same each time: without the hour and without a number of its own.
 */
const file = 'dist/sbom.cdx.json';

/** @returns the path of the file in the project */
export function writeBillOfMaterials(): string {
  const { direct, packages } = productionPackages();
  const components = new Map(packages.map((each) => [each.key, componentOf(each)]));
  const referencesTo = (keys: readonly string[]) =>
    new Models.BomRefRepository(keys.flatMap((key) => components.get(key)?.bomRef ?? []));
  for (const { key, needs } of packages) {
    const component = components.get(key);
    if (component) component.dependencies = referencesTo(needs);
  }
  const { name, version }: { name: string; version: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const site = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    bomRef: name,
    dependencies: referencesTo(direct),
  });
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: site }),
    components: new Models.ComponentRepository(components.values()),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  writeFileSync(join(root, file), serializer.serialize(bom, { sortLists: true, space: 1 }));
  return file;
}

const licences = new Contrib.License.Factories.LicenseFactory(parseLicence);

function componentOf({ key, name, version, licence, description, integrity }: InstalledPackage) {
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  return new Models.Component(Enums.ComponentType.Library, name, {
    version,
    bomRef: key,
    purl: `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`,
    ...(description === undefined ? {} : { description }),
    licenses: new Models.LicenseRepository(licence === undefined ? [] : [licences.makeFromString(licence)]),
    hashes: new Models.HashDictionary(
      hash === undefined
        ? []
        : [[Enums.HashAlgorithm['SHA-512'], Buffer.from(hash, 'base64').toString('hex')]],
    ),
  });
}
