/** One day in a month's table; those of other months fill its first and last week. */
interface WeekDay {
  /** `YYYY-MM-DD` */
  date: string;
  outside: boolean;
}

const dayMilliseconds = 86_400_000;

/** The days of a month in rows of seven. `first` is the weekday on which a week begins, 0 being Sunday. */
export function weeksOf(days: readonly string[], firstWeekday: number): WeekDay[][] {
  const start = Date.parse(days[0] ?? '');
  const leadingDays = (new Date(start).getUTCDay() - firstWeekday + 7) % 7;
  const weekCount = Math.ceil((leadingDays + days.length) / 7);
  return Array.from({ length: weekCount }, (_, row) =>
    Array.from({ length: 7 }, (__, column) => {
      const dayIndex = row * 7 + column - leadingDays;
      const date = new Date(start + dayIndex * dayMilliseconds).toISOString().slice(0, 10);
      return { date, outside: dayIndex < 0 || dayIndex >= days.length };
    }),
  );
}
