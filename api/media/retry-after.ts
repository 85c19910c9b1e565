/** `Retry-After` as seconds or date, at most a day from now. */
export function retryAfter(value: string | undefined, now: Date): Date | undefined {
  if (!value) return undefined;
  const at = /^\d+$/.test(value) ? now.getTime() + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(at)
    ? undefined
    : new Date(Math.min(Math.max(at, now.getTime()), now.getTime() + 86_400_000));
}
