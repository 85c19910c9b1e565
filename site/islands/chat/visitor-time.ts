/** `15:44` in the visitor's zone, as `clock` of `i18n/format.ts` writes it in every language. */
export const visitorClock = (date: Date): string =>
  [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
