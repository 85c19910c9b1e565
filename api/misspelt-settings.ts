import { getConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Below that many characters, too many names of others differ by one. */
const shortest = 7;

/**
 * Variables that are no settings, each with the setting that it is nearly called and that is not set: the same but for case and underscores,
 * or but for one letter, or its beginning. Nothing else would tell that DATABASEURL is no address of a database.
 * @param env of which getConfig makes settings
 */
export function misspeltSettings(env: Environment): { name: string; setting: string }[] {
  const settings = new Set<string>();
  const noting = new Proxy(env, {
    get: (values, name: string) => {
      settings.add(name);
      return values[name];
    },
  });
  // What it asks for is what there is: no second list of settings that could lack one.
  getConfig(noting);
  const unset = [...settings].filter((setting) => !env[setting]);
  return Object.keys(env).flatMap((name) => {
    const setting = settings.has(name) ? undefined : unset.find((each) => isNearly(name, each));
    return setting === undefined ? [] : [{ name, setting }];
  });
}

/**
 * Tells of each of them in a sentence.
 * @throws ConfigError when it is the address of the database: without that a demo would be served, with passwords that everybody knows
 */
export function reportMisspelt(env: Environment, tell: (sentence: string) => void): void {
  const misspelt = misspeltSettings(env);
  for (const { name, setting } of misspelt)
    if (setting === 'DATABASE_URL' && /^postgres(?:ql)?:/i.test(env[name] ?? ''))
      throw new ConfigError(
        name,
        `is no setting, and has the address of a database: call it ${setting}, or unset it.`,
      );
  for (const { name, setting } of misspelt) tell(`${name} is no setting: ${setting} is one, and not set.`);
}

function isNearly(name: string, setting: string): boolean {
  const [said, meant] = [name.toUpperCase(), setting];
  if (said.replaceAll('_', '') === meant.replaceAll('_', '')) return true;
  return (
    (said.length >= shortest && meant.startsWith(said)) ||
    (meant.length >= shortest && differInOne(said, meant))
  );
}

/** One letter more, less or another, or two neighbours the other way round. */
function differInOne(a: string, b: string): boolean {
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const [restA, restB] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  return (
    (restA.length <= 1 && restB.length <= 1) || (restA.length === 2 && restB === `${restA[1]}${restA[0]}`)
  );
}
