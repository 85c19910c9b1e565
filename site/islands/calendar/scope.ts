import type { CSSProperties } from 'react';

/** A star's colours as the server writes them into `style`, for React. */
export function scopeOf(style: string | undefined): CSSProperties | undefined {
  if (!style) return undefined;
  return Object.fromEntries(style.split(';').map((rule) => rule.split(':')));
}
