import type { VerificationItem } from '#api/admin/model.ts';
import { sourceLanguage } from '../../i18n/source-language.ts';
import { Checks } from './Checks.tsx';
import type { VerificationWords } from './words.ts';

/** Which words name a field of the evidence; `sentence` and what we do not know need no name. */
const fieldWords: Readonly<Record<string, keyof VerificationWords>> = {
  title: 'fieldTitle',
  startTime: 'fieldTime',
  date: 'fieldTime',
  time: 'fieldTime',
  venue: 'fieldVenue',
  location: 'fieldVenue',
  eventType: 'fieldType',
  stars: 'fieldStars',
  primaryStar: 'fieldStars',
};

/** Every sentence once, with the fields that it proves. */
function sentencesOf(evidence: VerificationItem['evidence'], words: VerificationWords): [string, string[]][] {
  const fields = new Map<string, Set<string>>();
  for (const [field, sentence] of Object.entries(evidence)) {
    const fieldNames = fields.get(sentence) ?? new Set();
    const name = fieldWords[field];
    if (name) fieldNames.add(words[name]);
    fields.set(sentence, fieldNames);
  }
  return [...fields].map(([sentence, names]) => [sentence, [...names]]);
}

interface SentencePart {
  text: string;
  isFound: boolean;
  at: number;
}

/** A sentence cut where what was understood begins and ends; longer finds win. */
function splitSentence(sentence: string, finds: readonly string[]): SentencePart[] {
  const isFoundAt = new Array<boolean>(sentence.length).fill(false);
  for (const part of finds) {
    for (let at = sentence.indexOf(part); at >= 0; at = sentence.indexOf(part, at + part.length)) {
      isFoundAt.fill(true, at, at + part.length);
    }
  }
  const parts: SentencePart[] = [];
  for (let at = 0; at < sentence.length; at += 1) {
    const last = parts.at(-1);
    const isFound = isFoundAt[at] ?? false;
    if (last && last.isFound === isFound) last.text += sentence[at];
    else parts.push({ text: sentence[at] ?? '', isFound, at });
  }
  return parts;
}

/** What the source says, with what was understood marked, beside what came of it. */
export function Evidence({
  item,
  words,
  facts,
}: {
  item: VerificationItem;
  words: VerificationWords;
  facts: [string, string][];
}) {
  const sentences = sentencesOf(item.evidence, words);
  return (
    <div className="verify-evidence">
      <div>
        {sentences.length === 0 && <p>{words.noEvidence}</p>}
        {sentences.map(([sentence, fields]) => (
          <figure key={sentence}>
            <blockquote lang={sourceLanguage(sentence)}>
              “
              {splitSentence(sentence, item.found).map(({ text, isFound, at }) =>
                isFound ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
              )}
              ”
            </blockquote>
            {fields.length > 0 && <figcaption>{fields.join(' · ')}</figcaption>}
          </figure>
        ))}
      </div>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd suppressHydrationWarning>{value}</dd>
          </div>
        ))}
      </dl>
      <Checks checks={item.checks} words={words} />
    </div>
  );
}
