/** A flag, or a sign with the marks, tones and joined signs that belong to it. `Intl.Segmenter` would have a slow phone load its data. */
const letter = /^(?:\p{RI}{2}|\P{M}(?:\p{M}|\p{EMod}|\u200D\P{M})*)/u;

/** What a person takes for the first letter of a name: a face shows it. */
export const firstLetterOf = (name: string): string => letter.exec(name)?.[0] ?? name.slice(0, 1);
