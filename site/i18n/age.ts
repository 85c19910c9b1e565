/**
 * Age of §9 in the words of `ageWords`: minutes under an hour, hours under a day, then days. Never in the future. On every page in
 * the browser, too, so it stands alone.
 */
export function ageText(words: string, date: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - date.getTime()) / 60_000));
  const [at, size] =
    minutes < 60 ? ([0, 1] as const) : minutes < 1440 ? ([2, 60] as const) : ([4, 1440] as const);
  const count = Math.floor(minutes / size);
  return (words.split('|')[at + Number(count !== 1)] ?? '').replace('{n}', `${count}`);
}
