import { showLoadFailure } from './toast.ts';

/** Where a script could not do what was pressed, its link does. Without a network that leads nowhere: what is read stays. */
export function followByItself(address: string | URL): void {
  if (navigator.onLine) location.assign(address);
  else showLoadFailure();
}
