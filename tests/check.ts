/** `bun run check`: what is quick to know before a commit: format, lint, types, the rules of the house, what is known of our packages. */
import { check } from './kit/command.ts';

await check(async function* () {
  const { advisories, lint, types, unitTests } = await import('./kit/stages.ts');
  const asked = advisories();
  yield await lint();
  yield await types();
  yield await unitTests('tests/rules');
  yield await asked;
});
