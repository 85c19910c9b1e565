/** Addresses that others wrote, and what of them a page of ours may link. */

/** Only what a browser may safely be sent to; anything else is not linked. */
export function webAddress(text: string | null): URL | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** Where an embed lives, for readers without JavaScript; only https, never a script. */
export function safeAddress(address: string): string | undefined {
  return /^https:\/\/[^\s]+$/.test(address) ? address : undefined;
}
