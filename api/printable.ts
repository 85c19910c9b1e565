/** What a terminal obeys or what turns a line around: control, format and separator characters, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text of somebody else as a terminal may have it, on one line: `\u{1b}` stands for the character ESC. */
export const printable = (text: string): string =>
  text.replace(unprintable, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
