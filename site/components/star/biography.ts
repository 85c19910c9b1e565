/** From here on a biography is folded on phones, in characters; about six lines of Latin text. */
const folds = 280;
/** A lead longer than this is cut at the end of a sentence. */
const longestLead = 460;

/** A biography as paragraphs: what is always read, and what a phone folds. */
export function foldBiography(text: string): { lead: string[]; rest: string[] } {
  const paragraphs = text
    .split(/\n+/)
    .map((part) => part.trim())
    .filter(Boolean);
  if (text.length <= folds + 80) return { lead: paragraphs, rest: [] };
  const [first = '', ...rest] = paragraphs;
  if (first.length <= longestLead) return { lead: [first], rest };
  const end = endOfSentence(first, folds);
  return { lead: [first.slice(0, end).trim()], rest: [first.slice(end).trim(), ...rest].filter(Boolean) };
}

/** Where the sentence ends that contains `position`; the end of the text when it is the last one. */
function endOfSentence(text: string, position: number): number {
  const ending = /[.!?。…]['"’”)]*\s/g;
  ending.lastIndex = position;
  const found = ending.exec(text);
  return found ? found.index + found[0].length : text.length;
}
