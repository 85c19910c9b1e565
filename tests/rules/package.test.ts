import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bunx, runProgram } from '#site/launch/child.ts';
import { root } from '#site/launch/root.ts';

const folders: string[] = [];

/** What npm says of a package.json before it runs anything, `npx` included; empty when it takes it. */
async function refusal(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'byeol-package-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package.json'), text);
  const npm = Bun.which('npm') ? ['npm'] : bunx('npm@11');
  const { code, output } = await runProgram([...npm, 'query', ':root', '--offline', '--prefix', folder]);
  return code === 0 ? '' : output;
}

describe('package.json', () => {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const settings: { scripts: Record<string, string>; dependencies: Record<string, string> } =
    JSON.parse(text);

  test('is accepted by npm, which reads it before npx runs anything', async () => {
    expect(await refusal(text)).toBe('');
  }, 300_000);

  test('would not be, were an override another text than the dependency', async () => {
    const torn = { ...settings, dependencies: { ...settings.dependencies, i18next: '^27.1.2' } };
    expect(await refusal(JSON.stringify(torn))).toContain('EOVERRIDE');
  }, 300_000);

  test('has only scripts that work where Node is and no bun', () => {
    const strangers = Object.entries(settings.scripts).filter(
      ([name, script]) => name !== 'preinstall' && !script.startsWith('node site/launch/bun.mjs '),
    );
    expect(strangers).toEqual([]);
  });
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
