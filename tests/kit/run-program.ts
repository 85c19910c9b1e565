import { root } from '#site/launch/root.ts';
import { environment } from './environment.ts';

interface Ended {
  code: number;
  output: string;
  errors: string;
}

/** Runs a program in the project's folder to its end, as an operator types it, with only these settings of the site. */
export async function runToEnd(
  command: readonly string[],
  settings: Record<string, string> = {},
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: environment(settings),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output, errors };
}
