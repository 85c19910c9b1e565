/** Days that remain in the form that fans of every language know. On its own, because browsers need it without the rest. */
export const dDay = (days: number): string => `D-${days}`;
