import { root } from '#site/launch/root.ts';
import { environment } from './environment.ts';

interface Advisory {
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
}

/** An advisory that we have looked at and live with for a while. */
export interface Considered {
  /** `GHSA-…` */
  id: string;
  because: string;
  /** `YYYY-MM-DD`: then it is looked at again. */
  until: string;
}

/** Most are mended instead: `bun audit fix`, or an entry of `overrides` in `package.json`. */
export const considered: readonly Considered[] = [];

/** `unanswered`: the registry did not say, which is nobody's fault. */
export type Audit = { unanswered: string } | { faults: string[] };

/** Milliseconds for the registry's answer. */
const usualPatience = 15_000;

/**
 * Asks the registry what is known to be wrong with the packages of `bun.lock`.
 * @param settings of npm, such as another registry
 */
export async function audit(
  settings: Record<string, string> = {},
  known: readonly Considered[] = considered,
  today = new Date().toISOString().slice(0, 10),
  patience = usualPatience,
): Promise<Audit> {
  const child = Bun.spawn([process.execPath, 'audit', '--json'], {
    cwd: root,
    env: environment(settings),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: patience,
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const answer = answerIn(output);
  if (!answer) return { unanswered: errors.trim() || `no answer within ${patience / 1000} s` };
  const found = Object.entries(answer).flatMap(([name, advisories]) =>
    advisories.map(({ url, title, severity, vulnerable_versions: versions }) => ({
      id: url.split('/').at(-1) ?? '',
      what: `${name} ${versions}: ${severity}, ${title} (${url})`,
    })),
  );
  const open = found.filter(({ id }) => !known.some((each) => each.id === id && each.until >= today));
  const idle = known.filter(({ id }) => !found.some((each) => each.id === id));
  return {
    faults: [
      ...open.map(({ what }) => what),
      ...idle.map(({ id }) => `${id} is considered in tests/kit/advisories.ts, and nobody has it any more`),
    ],
  };
}

function answerIn(output: string): Record<string, Advisory[]> | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
