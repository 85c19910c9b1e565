import { Value } from '@sinclair/typebox/value';
import { t } from 'elysia';
import { StartupError } from '#db/embedded.ts';
import type { VapidKeys } from '../push/read-keys.ts';

/** What a backup says of itself. It is written last: a backup without one is torn. */

/** Written into every backup; a change that older releases would misread gets the next number. */
export const manifestVersion = 1;

const Name = t.String({ minLength: 1, maxLength: 63 });
/** A path below the backup's own folder, or below that of pictures: no way leads out of them. */
const Path = t.String({ pattern: '^[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$' });
const Sum = t.String({ pattern: '^[0-9a-f]{64}$' });
const Count = t.Integer({ minimum: 0 });
/** What a part of 16 MB or an original can grow to, and more; no reader fills its memory with what a manifest only says. */
const mostBytes = 256 * 1024 * 1024;

/** A file as it lies there, encrypted or not. */
const Part = t.Object({ file: Path, bytes: t.Integer({ minimum: 0, maximum: mostBytes }), sha256: Sum });
export type Part = typeof Part.static;

const Rows = t.Object({ rows: Count, parts: t.Array(Part) });
export type Rows = typeof Rows.static;

/** Nothing but values: a bound is part of a statement, and an expression in it could call any function of the database. */
const literal = String.raw`(?:'[^'\\]*'|-?\d+(?:\.\d+)?|NULL|MINVALUE|MAXVALUE|true|false)`;
const literals = String.raw`\(${literal}(?:, ${literal})*\)`;
const Bound = t.String({
  pattern: String.raw`^(?:DEFAULT|FOR VALUES (?:IN ${literals}|FROM ${literals} TO ${literals}|WITH \(modulus \d+, remainder \d+\)))$`,
});

const Table = t.Composite([
  t.Object({
    name: Name,
    columns: t.Array(Name, { minItems: 1 }),
    partitions: t.Array(t.Object({ name: Name, bound: Bound })),
  }),
  Rows,
]);

const Manifest = t.Object({
  format: t.Literal('byeol-backup'),
  version: t.Literal(manifestVersion),
  /** Of the program that made it. */
  release: t.String({ pattern: '^[\\w.+-]{1,64}$' }),
  /** The moment that the database is of. */
  createdAt: t.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,12}Z$' }),
  migrations: t.Array(t.Object({ hash: Sum, createdAt: t.Integer() }), { minItems: 1 }),
  tables: t.Array(Table),
  sequences: t.Array(t.Object({ name: Name, last: t.Union([t.String({ pattern: '^\\d+$' }), t.Null()]) })),
  /** Jobs that had not ended, a line of JSON each. */
  jobs: Rows,
  /** The list of pictures (`PictureList`). */
  pictures: t.Object({ count: Count, list: Part }),
  /** The keys of web push; null: the site had none yet. */
  vapid: t.Union([Part, t.Null()]),
});
export type Manifest = typeof Manifest.static;

/** A picture in the folder that all backups of a place share. Its file may be encrypted; its name says so. */
const Picture = t.Object({ key: t.String({ pattern: '^upload-[0-9a-f]{24}$' }), ...Part.properties });
export type Picture = typeof Picture.static;
const PictureList = t.Array(Picture);

/** @throws StartupError when it is not what this release writes and reads */
export function readManifest(text: string, name: string): Manifest {
  const said = parse(text);
  const version: unknown = Reflect.get(Object(said), 'version');
  if (
    Reflect.get(Object(said), 'format') === 'byeol-backup' &&
    typeof version === 'number' &&
    version > manifestVersion
  )
    throw new StartupError(
      `The backup ${name} was made by a newer release (format ${version}): restore it with that one.`,
    );
  if (!Value.Check(Manifest, said))
    throw new StartupError(`The backup ${name} is damaged: its manifest cannot be read.`);
  return said;
}

/** @throws StartupError */
export function readPictureList(text: string, name: string): Picture[] {
  const said = parse(text);
  if (!Value.Check(PictureList, said))
    throw new StartupError(`The backup ${name} is damaged: its list of pictures cannot be read.`);
  return said;
}

/** As browsers and push services know them (RFC 8292): a point and a number of P-256, base64url. */
const KeyPair = t.Object({
  publicKey: t.String({ pattern: '^[A-Za-z0-9_-]{87}$' }),
  privateKey: t.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
});

/** @throws StartupError */
export function readVapidKeys(text: string, name: string): VapidKeys {
  const said = parse(text);
  if (!Value.Check(KeyPair, said))
    throw new StartupError(`The backup ${name} is damaged: its keys of web push cannot be read.`);
  return said;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
