/** Voiced marks of halfwidth kana are letters to Unicode, and marks once they are decomposed. */
const manyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * A text in a normalization form of Unicode, whoever wrote it. Of the marks on one letter 30 stay, as in the Stream-Safe Text Format (UAX
 * #15), more than any writing has: to put marks in order takes the square of their number, which is 5 s for 30,000.
 */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string =>
  text.replace(manyMarks, '$1').normalize(form);
