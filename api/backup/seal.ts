import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { StartupError } from '#db/embedded.ts';
import { hasSealed } from './generations.ts';
import type { Place } from './place.ts';

/** Encrypts the files of a backup, or leaves them as they are. */
export interface Seal {
  /** Behind the name of each file: `.age`, or nothing. */
  suffix: string;
  /** Tells backups apart that other keys open; names the folder of pictures that they share. */
  tag: string;
  seal(bytes: Uint8Array): Promise<Uint8Array>;
  /** Asked before the manifest is written. @throws StartupError when nobody could open what was sealed */
  confirm(): Promise<void>;
}

/** The way back. @throws when the key is another, or when a byte was changed */
export type Open = (bytes: Uint8Array) => Promise<Uint8Array>;

export const openSeal: Seal = {
  suffix: '',
  tag: 'open',
  seal: (bytes) => Promise.resolve(bytes),
  confirm: () => Promise.resolve(),
};
export const leaveAsIs: Open = (bytes) => Promise.resolve(bytes);

/** The key that a passphrase locks: one for all backups of a place, because a passphrase costs a second each time. */
const keyFile = 'key.age';
const mostOfKey = 64 * 1024;

/**
 * Leaves files as they are, where no backup is encrypted: a passphrase that did not arrive, because the name of its setting is misspelt, is
 * nothing that anybody would notice by its backups.
 * @throws StartupError
 */
export async function leaveUnsealed(place: Place): Promise<Seal> {
  const { files } = await place.listTop();
  if (files.includes(keyFile) || (await hasSealed(place)))
    throw new StartupError(
      `The backups in ${place.name} are encrypted, and this one would not be: say --recipient, --passphrase-file or BACKUP_PASSPHRASE as for those, or take another place.`,
    );
  return openSeal;
}

/**
 * Encrypts for the owners of keys (https://age-encryption.org): the machine that backs up cannot read what it wrote.
 * @throws StartupError for what is no recipient
 */
export function sealFor(recipients: readonly string[]): Seal {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new StartupError(
        `“${recipient}” is no recipient of age: it is like age1… and comes from age-keygen.`,
      );
    }
  }
  const names = [...new Set(recipients)].sort().join('\n');
  return {
    suffix: '.age',
    tag: new Bun.CryptoHasher('sha256').update(names).digest('hex').slice(0, 16),
    seal: (bytes) => encrypter.encrypt(bytes),
    confirm: () => Promise.resolve(),
  };
}

/**
 * Encrypts for the key of the place, which this passphrase opens; the first backup makes it, with its first file: one that is refused
 * before leaves nothing.
 * @throws StartupError when the place's key has another passphrase, or is lost
 */
export async function sealByPassphrase(place: Place, passphrase: string): Promise<Seal> {
  const locked = await place.read(keyFile, mostOfKey);
  if (locked) return sealFor([await identityToRecipient(await unlock(place, locked, passphrase))]);
  // Another key would let the loss go unnoticed until somebody needs an older backup.
  if (await hasSealed(place))
    throw new StartupError(
      `${place.name} has encrypted backups, but no ${keyFile}, the key that a passphrase opens: put it back from a copy. If it is lost, or they were made with --recipient, take another place.`,
    );
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  const made = await encrypter.encrypt(`${identity}\n`);
  const sealed = sealFor([await identityToRecipient(identity)]);
  let keyWritten: Promise<void> | undefined;
  return {
    ...sealed,
    async seal(bytes) {
      keyWritten ??= place.write(keyFile, made);
      await keyWritten;
      return sealed.seal(bytes);
    },
    async confirm() {
      const now = await place.read(keyFile, mostOfKey);
      if (!now || !Buffer.from(made).equals(now))
        throw new StartupError(
          `Another first backup has put its own ${keyFile} into ${place.name} meanwhile: start this one again.`,
        );
    },
  };
}

/** @throws StartupError when the passphrase is another, or when there is none that a passphrase could open */
export async function openByPassphrase(place: Place, passphrase: string): Promise<Open> {
  const locked = await place.read(keyFile, mostOfKey);
  if (!locked)
    throw new StartupError(
      `There is no ${keyFile} in ${place.name}, the key that a passphrase opens: put it back from a copy, or, if the backup was made with --recipient, say --identity FILE.`,
    );
  return opener([await unlock(place, locked, passphrase)]);
}

/**
 * Opens by the keys in the text of a file as `age-keygen` writes it.
 * @throws StartupError when it has none
 */
export function openByIdentities(file: string, text: string): Open {
  const identities = text.match(/^AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]+(?=\s*$)/gm) ?? [];
  try {
    if (identities.length > 0) return opener(identities);
  } catch {
    // It says no more than that.
  }
  throw new StartupError(
    `${file} has no key of age in it: it is like AGE-SECRET-KEY-1…, on a line of its own.`,
  );
}

function opener(identities: readonly string[]): Open {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return (bytes) => decrypter.decrypt(bytes);
}

async function unlock(place: Place, locked: Uint8Array, passphrase: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return (await decrypter.decrypt(locked, 'text')).trim();
  } catch {
    throw new StartupError(`The passphrase does not open the backups in ${place.name}.`);
  }
}
