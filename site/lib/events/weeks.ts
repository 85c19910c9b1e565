/** One day in a month's table; those of other months fill its first and last week. */
interface WeekDay {
  /** `YYYY-MM-DD` */
  date: string;
  outside: boolean;
}

const dayMilliseconds = 86_400_000;

/** The days of a month in rows of seven. `first` is the weekday on which a week begins, 0 being Sunday. */
export function weeksOf(days: readonly string[], first: number): WeekDay[][] {
  const start = Date.parse(days[0] ?? '');
  const before = (new Date(start).getUTCDay() - first + 7) % 7;
  const rows = Math.ceil((before + days.length) / 7);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 7 }, (__, column) => {
      const place = row * 7 + column - before;
      const date = new Date(start + place * dayMilliseconds).toISOString().slice(0, 10);
      return { date, outside: place < 0 || place >= days.length };
    }),
  );
}
