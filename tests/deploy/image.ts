import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '#site/launch/root.ts';
import { environment } from '#tests/kit/environment.ts';

/**
 * The steps of `deploy/Dockerfile` without a container engine: each stage is a folder, `COPY` takes what git knows and
 * `.dockerignore` lets through, `RUN` is a shell in it. What the base image brings is not there: the Bun that runs this stands for it.
 */

interface Instruction {
  word: string;
  rest: string;
}

export interface Image {
  /** The folder of the last stage. */
  folder: string;
  workdir: string;
  environment: Record<string, string>;
  command: string[];
  user: number;
}

/** Builds the image's last stage below a folder. @throws when a step fails */
export async function buildImage(folder: string, context: string): Promise<Image> {
  const stages = new Map<string, string>();
  let image: Image = { folder: '', workdir: '/', environment: {}, command: [], user: 0 };
  for (const { word, rest } of instructionsOf(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))) {
    switch (word) {
      case 'FROM': {
        const name = / as (\S+)$/i.exec(rest)?.[1] ?? 'last';
        const stage = join(folder, name);
        mkdirSync(stage, { recursive: true });
        stages.set(name, stage);
        image = { folder: stage, workdir: '/', environment: {}, command: [], user: 0 };
        break;
      }
      case 'WORKDIR':
        image.workdir = rest;
        mkdirSync(join(image.folder, rest), { recursive: true });
        break;
      case 'ENV':
        for (const pair of rest.split(' ')) {
          const [name = '', value = ''] = pair.split('=');
          image.environment[name] = value;
        }
        break;
      case 'COPY':
        copy(image, rest, stages, context);
        break;
      case 'RUN':
        await runIn(image, rest);
        break;
      case 'USER':
        image.user = Number(rest.split(':')[0]);
        break;
      case 'CMD':
        image.command = JSON.parse(rest);
        break;
    }
  }
  return image;
}

function instructionsOf(text: string): Instruction[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return word === '' ? [] : [{ word, rest: rest.trim() }];
    });
}

function copy(image: Image, rest: string, stages: ReadonlyMap<string, string>, context: string): void {
  const from = /^--from=(\S+)\s+/.exec(rest);
  const source = from ? stages.get(from[1] ?? '') : context;
  if (source === undefined) throw new Error(`COPY ${rest}: there is no such stage`);
  const paths = rest.slice(from?.[0].length ?? 0).split(/\s+/);
  const target = paths.pop() ?? '.';
  for (const path of paths) {
    const given = join(source, path);
    if (!existsSync(given)) throw new Error(`COPY ${rest}: ${path} is not in the context`);
    const place = join(image.folder, image.workdir, target);
    const isFolder = target.endsWith('/') || target === '.';
    const to = isFolder && path !== '.' ? join(place, basename(path)) : place;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(given, to, { recursive: true });
  }
}

async function runIn({ folder, workdir, environment: own }: Image, command: string): Promise<void> {
  // Absolute paths are those of the image.
  const inside = command
    .replace(/^bun /, `${process.execPath} `)
    .replaceAll(/(?<=\s)\/(?=\w)/g, `${folder}/`);
  const child = Bun.spawn(['sh', '-ec', inside], {
    cwd: join(folder, workdir),
    env: environment({ ...own, HOME: folder }),
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error(`RUN ${command}: ended with ${child.exitCode}`);
}
