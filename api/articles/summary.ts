/** A summary as its sentences: up to three, one on each line. */
export const sentencesOf = (summary: string): string[] => summary.split('\n').filter(Boolean);
