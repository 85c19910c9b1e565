/** Longer than any address that a browser opens. */
const maxLength = 2_048;

/**
 * An address of anybody's making, as a browser reads it; undefined when it is none. Its length is looked at first: what is read of a host
 * takes the square of its marks, which is 9 s for 60,000.
 */
export const parseAddress = (text: string, base?: string): URL | undefined =>
  text.length <= maxLength && URL.canParse(text, base) ? new URL(text, base) : undefined;
