import { parseArgs } from 'node:util';
import { isHelp } from '#api/command-help.ts';

const parts = [
  'chat',
  'pages',
  'phone',
  'processes',
  'names',
  'stars',
  'messages',
  'start',
  'next',
  'growth',
  'load',
  'comeback',
] as const;

const help = `bun run bench
Measures the site, as it is built, against itself and a bare server: ratios taken in one run, and counts. It takes long, both cores, and some
gigabytes in .data/bench, where it fills a database of its own.

  bun run bench [--only ${parts.join('|')}] [--scale ARTICLES] [--from ARTICLES] [--seconds N]
                [--set dev|held|all] [--count N] [--processes N,N…] [--times N] [--stars N] [--messages N]

--only     one part of it; load, growth and comeback are measured only when they are named: they take long; next, the same articles by
           Next.js, as well: it installs that
--scale    articles of its database: 100000 unless it is said
--from     articles of the smaller one that growth compares it with: 1000
--seconds  of a run: 3; of a comeback: 180
--processes that serve in a comeback, one time after the other: 1,2,4
--times    the usual evening of a star that its comeback is: 100
--set      of the stories of names: all
--count    processes that serve: 3
--stars    of the directory of stars: 20000
--messages at most, of messages: 20000000 take ten minutes and 10 GB, so they are measured only by --only messages
`;

const options = {
  only: { type: 'string' },
  scale: { type: 'string' },
  from: { type: 'string' },
  processes: { type: 'string' },
  times: { type: 'string' },
  seconds: { type: 'string' },
  set: { type: 'string' },
  count: { type: 'string' },
  stars: { type: 'string' },
  messages: { type: 'string' },
} as const;

/** What follows `--name` on the line of the command. */
export function textOption<Fallback extends string | undefined>(
  name: string,
  fallback: Fallback,
): string | Fallback {
  const at = Bun.argv.indexOf(`--${name}`);
  return (at < 0 ? undefined : Bun.argv[at + 1]) ?? fallback;
}

/** The same as a number. */
export const numberOption = (name: string, fallback: number): number =>
  Number(textOption(name, String(fallback)));

/**
 * What is to be measured, before anything is built or started for it.
 * @returns `only` undefined: everything; nothing at all when there was something to say, whose status the process has
 */
export function readBenchArguments(args: string[]): { only: (typeof parts)[number] | undefined } | undefined {
  if (isHelp(args)) {
    process.stdout.write(help);
    return undefined;
  }
  try {
    const { values } = parseArgs({ args, options });
    const only = parts.find((each) => each === values.only);
    const counts = values.processes?.split(',') ?? [];
    const numbers = [
      values.scale,
      values.from,
      values.seconds,
      values.times,
      values.count,
      values.stars,
      values.messages,
      ...counts,
    ];
    if (only === values.only && numbers.every((each) => each === undefined || /^[1-9]\d*$/.test(each)))
      return { only };
  } catch {
    // parseArgs throws for options that nobody knows.
  }
  console.error(
    `There is no such measurement: bun run bench ${args.join(' ')}. --help tells which there are.`,
  );
  process.exitCode = 1;
  return undefined;
}
