/**
 * Age of §9 in the words of `ageWords`: minutes under an hour, hours under a day, then days. Never in the future. On every page in
 * the browser, too, so it stands alone.
 */
export function ageText(words: string, date: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - date.getTime()) / 60_000));
  const unit = minutes < 60 ? 0 : minutes < 1440 ? 1 : 2;
  const count = Math.floor(minutes / ([1, 60, 1440][unit] ?? 1));
  return (words.split('|')[unit * 2 + Number(count !== 1)] ?? '').replace('{n}', String(count));
}
