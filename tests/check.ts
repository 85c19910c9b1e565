/** `bun run check`: what is quick to know before a commit: format, lint, types and the rules of the house. */
import { check } from './kit/command.ts';

await check(async function* () {
  const { lint, types, unitTests } = await import('./kit/stages.ts');
  yield await lint();
  yield await types();
  yield await unitTests('tests/rules');
});
