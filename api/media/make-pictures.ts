import { mkdir, readdir, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { ART_VERSION, brandPicture, drawMark, drawPicture } from '#content/art/draw.ts';
import { placeholderOf } from '#content/art/ramp.ts';
import { isToRun } from '../command-help.ts';
import { type PlannedMark, type PlannedPicture, planDemoPictures } from './demo-pictures.ts';
import {
  type IndexedPicture,
  type MadeVariant,
  readPictureIndex,
  writePictureIndex,
} from './picture-index.ts';
import { renderPicture } from './raster.ts';
import { aspectName, sizeOf, type Variant, variantsOf } from './variants.ts';

/**
 * `bun api/media/make-pictures.ts`: draws the pictures of the demo world into content/demo/pictures. What is there and up
 * to date stays; what nobody needs any more goes. One process at low priority, so that work beside it goes on.
 */
const CONTENT = resolve(import.meta.dir, '../../content/demo');
const FOLDER = join(CONTENT, 'pictures');
const INDEX = join(FOLDER, 'index.json');
const LOW_PRIORITY = 15;
const SAVE_EVERY = 20;

const help = `bun run pictures
Draws the pictures of the demo world into content/demo/pictures, in all sizes. What is there and up to date stays, what nobody needs any more
is deleted. It takes long when it draws all of them, and may be stopped and started again.
`;
if (!isToRun(process.argv.slice(2), help)) process.exit();

setPriority(LOW_PRIORITY);
await mkdir(FOLDER, { recursive: true });
const plan = await planDemoPictures(CONTENT);
const index = await readPictureIndex(INDEX);
await makeMarks(plan.marks);
await makeAll(plan.pictures);
await removeUnplanned();
await writePictureIndex(INDEX, index);
report();

async function makeAll(pictures: readonly PlannedPicture[]): Promise<void> {
  const start = performance.now();
  let madeCount = 0;
  for (const [at, picture] of pictures.entries()) {
    const hash = hashOf(picture.kind, picture.art ?? 'brand', variantsOf(picture.kind));
    const indexed = index.pictures[picture.key];
    if (indexed?.hash === hash && (await complete(picture.key, indexed))) continue;
    index.pictures[picture.key] = await make(picture, hash);
    madeCount += 1;
    if (madeCount % SAVE_EVERY === 0) {
      await writePictureIndex(INDEX, index);
      const seconds = Math.round((performance.now() - start) / 1000);
      console.log(
        `${at + 1} of ${pictures.length} pictures, ${madeCount} made in ${seconds} s, last ${picture.key}`,
      );
    }
  }
}

async function make({ key, kind, art, fandomColor }: PlannedPicture, hash: string): Promise<IndexedPicture> {
  const folder = join(FOLDER, key);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const variants: MadeVariant[] = [];
  for (const { aspect, width } of variantsOf(kind)) {
    const size = sizeOf(aspect, width);
    const svg = art ? drawPicture({ ...art, ...size }) : brandPicture(size);
    const bytes = await renderPicture(svg, { ...size, format: 'avif' });
    await Bun.write(join(folder, fileName({ aspect, width })), bytes);
    variants.push({ aspect, ...size, bytes: bytes.length });
  }
  return { hash, placeholder: art ? placeholderOf(fandomColor) : '#0b0e19', art, variants };
}

async function makeMarks(marks: readonly PlannedMark[]): Promise<void> {
  for (const mark of marks) {
    const path = join(FOLDER, markName(mark.slug));
    const hash = hashOf('mark', mark, []);
    if (index.marks[mark.slug]?.hash === hash && (await Bun.file(path).exists())) continue;
    index.marks[mark.slug] = {
      hash,
      bytes: await Bun.write(path, drawMark(mark, mark.style)),
      style: mark.style,
    };
  }
}

async function removeUnplanned(): Promise<void> {
  const keys = new Set(plan.pictures.map(({ key }) => key));
  const slugs = new Set(plan.marks.map(({ slug }) => slug));
  for (const key of Object.keys(index.pictures)) if (!keys.has(key)) delete index.pictures[key];
  for (const slug of Object.keys(index.marks)) if (!slugs.has(slug)) delete index.marks[slug];
  const plannedNames = new Set([...keys, ...[...slugs].map(markName), 'index.json']);
  for (const name of await readdir(FOLDER)) {
    if (!plannedNames.has(name)) await rm(join(FOLDER, name), { recursive: true });
  }
}

async function complete(key: string, { variants }: IndexedPicture): Promise<boolean> {
  const exists = await Promise.all(
    variants.map((variant) => Bun.file(join(FOLDER, key, fileName(variant))).exists()),
  );
  return exists.every(Boolean);
}

function hashOf(kind: string, order: unknown, variants: readonly Variant[]): string {
  return new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([ART_VERSION, kind, order, variants]))
    .digest('hex')
    .slice(0, 16);
}

function fileName({ aspect, width }: Variant): string {
  return `${aspectName(aspect)}-${width}.avif`;
}

function markName(slug: string): string {
  return `star-${slug}-mark.svg`;
}

function report(): void {
  const variants = Object.values(index.pictures).flatMap(({ variants }) => variants);
  const bytes = variants.reduce((sum, variant) => sum + variant.bytes, 0);
  console.log(
    `${plan.pictures.length} pictures, ${variants.length} files, ${(bytes / 1e6).toFixed(1)} MB; ${plan.marks.length} marks`,
  );
}
