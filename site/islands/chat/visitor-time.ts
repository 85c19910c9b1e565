let zone: string | undefined;

/**
 * The visitor's zone by its name, as `Intl` knows it. For the first that asks, a browser loads its tables of zones: 15 ms of a
 * processor, four times that on a slow phone, which the first messages do not wait for.
 */
export function visitorZone(): string {
  zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone;
}

/** `15:44` in the visitor's zone, as `clock` of `i18n/format.ts` writes it in every language. */
export const visitorClock = (date: Date): string =>
  [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
