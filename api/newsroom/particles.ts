/** Korean particles that depend on how the word before them ends: behind a closed syllable, and behind an open one. */
const pairs = [
  ['은', '는'],
  ['이', '가'],
  ['을', '를'],
  ['과', '와'],
  ['으로', '로'],
  ['이랑', '랑'],
  ['이나', '나'],
  ['이라고', '라고'],
  ['이라는', '라는'],
] as const;
const pairOf = new Map<string, (typeof pairs)[number]>(
  pairs.flatMap((pair) => pair.map((particle) => [particle, pair] as const)),
);

/**
 * A particle and no word that merely begins so, as `BTS가족`, also behind the quotation mark that closes a name. `과` and `로` may
 * have others behind them. 아/야 is left: `BTS야` is also `it is BTS`.
 */
const particleAfterName =
  /^([’”'"」』》〉]?)((?:은|는|이랑|랑|이나|나|이라고|라고|이라는|라는|이|가|을|를)(?!\p{L}|\p{N})|(?:과|와|으로|로)(?=(?:의|는|도|만|서|서의|서는|써|부터|부터의)?(?!\p{L}|\p{N})))/u;

const rieul = 8;

/**
 * What follows a name that was put in the place of another one, with the particle that fits it: `방탄소년단` and `는 …` of
 * `BTS는 …` is `은 …`. How a name in Latin letters is spoken is not known, so nothing is fitted to one.
 */
export function fitParticle(name: string, after: string): string {
  const [found, quote = '', particle = ''] = particleAfterName.exec(after) ?? [];
  const pair = pairOf.get(particle);
  if (found === undefined || !pair || !/[가-힣]$/.test(name)) return after;
  const final = (name.charCodeAt(name.length - 1) - 0xac00) % 28;
  const isOpen = final === 0 || (final === rieul && pair[1] === '로');
  return `${quote}${pair[isOpen ? 1 : 0]}${after.slice(found.length)}`;
}
