import type { Message } from '#api/community/model.ts';
import type boundary from '#content/locales/en/boundary.json';
import type chat from '#content/locales/en/chat.json';
import { intlTag, type Lang } from '#content/locales.ts';

/** The chat's area and its boundary's words. */
export type ChatWords = typeof chat & typeof boundary;

/** A text with its blanks filled in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The name that stands over a message. */
export function authorName(user: Message['user'], deletedAccount: string): string {
  return user.isDeleted ? deletedAccount : user.displayName || user.username;
}

/** The form of a text for a number. */
export function plural(words: ChatWords, stem: 'newMessages' | 'left', count: number): string {
  return fill(count === 1 ? words[`${stem}_one`] : words[`${stem}_other`], { count });
}

/** `5 seconds`, `1 minute`, `2 hours`, `7 days`: a span in its largest whole unit. */
export function formatDuration(lang: Lang, seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds >= each && seconds % each === 0) ?? ['second', 1];
  return new Intl.NumberFormat(intlTag(lang), { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / size,
  );
}
