/** From here on a biography is folded on phones, in characters; about six lines of Latin text. */
const foldFrom = 280;
/** A lead longer than this is cut at the end of a sentence. */
const longestLead = 460;

/** A biography as paragraphs: what is always read, and what a phone folds. */
export function foldBiography(text: string): { lead: string[]; folded: string[] } {
  const paragraphs = text
    .split(/\n+/)
    .map((part) => part.trim())
    .filter(Boolean);
  if (text.length <= foldFrom + 80) return { lead: paragraphs, folded: [] };
  const [firstParagraph = '', ...laterParagraphs] = paragraphs;
  if (firstParagraph.length <= longestLead) return { lead: [firstParagraph], folded: laterParagraphs };
  const end = endOfSentence(firstParagraph, foldFrom);
  return {
    lead: [firstParagraph.slice(0, end).trim()],
    folded: [firstParagraph.slice(end).trim(), ...laterParagraphs].filter(Boolean),
  };
}

/** Where the sentence ends that contains `position`; the end of the text when it is the last one. */
function endOfSentence(text: string, position: number): number {
  const ending = /[.!?。…]['"’”)]*\s/g;
  ending.lastIndex = position;
  const sentenceEnd = ending.exec(text);
  return sentenceEnd ? sentenceEnd.index + sentenceEnd[0].length : text.length;
}
