/** Korean ways to say when: dates, weekdays, times of day. */
const moments = [
  /(?:(?:19|20)\d\d년\s*)?(?:오는\s*|내달\s*|다음\s*달\s*|이달\s*)?(?:\d{1,2}월\s*)?\d{1,2}일(?:\s*\(?[월화수목금토일](?:요일)?\)?)?/gu,
  /(?:오전|오후|낮|밤|저녁|아침|새벽|정오|자정)?\s*\d{1,2}시(?:\s*(?:\d{1,2}분|반))?/gu,
  /\d{1,2}:\d{2}/gu,
  /\d{4}[.-]\s?\d{1,2}[.-]\s?\d{1,2}\.?/gu,
];

/**
 * The parts of the source's sentences that the event was read from: moments, and the longest words of title, places and
 * stars that stand there. In no order; for showing only.
 * @param extracted what was extracted, in the language of the source
 */
export function matchedParts(sentences: readonly string[], extracted: readonly (string | null)[]): string[] {
  const parts = new Set<string>();
  for (const sentence of sentences) {
    for (const pattern of moments) for (const [match] of sentence.matchAll(pattern)) parts.add(match.trim());
    for (const text of extracted) {
      if (!text) continue;
      if (sentence.includes(text)) parts.add(text);
      else for (const word of wordsOf(text)) if (sentence.includes(word)) parts.add(word);
    }
  }
  return [...parts].filter((part) => [...part].length > 1);
}

const wordsOf = (text: string) =>
  text.split(/[\s‘’“”'"〈〉《》「」()[\],.·…!?]+/u).filter((word) => [...word].length > 1);
