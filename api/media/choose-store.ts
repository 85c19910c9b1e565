import { config } from '../config.ts';
import type { Store } from './store.ts';
import { diskStore } from './store-disk.ts';
import { s3Store } from './store-s3.ts';

const stores = new Map<string, Store>();

/** The store of the settings: one, for as long as these stay. */
export function store(): Store {
  const { storage, dataDir } = config();
  const name = JSON.stringify(storage ?? dataDir);
  const known = stores.get(name) ?? (storage ? s3Store(storage) : diskStore(dataDir));
  stores.set(name, known);
  return known;
}
