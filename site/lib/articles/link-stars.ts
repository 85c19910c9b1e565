/** Particles that may follow a Korean name; anything else means a longer word (벨 in 벨트). */
const particle =
  '(?=$|[^가-힣]|이|가|은|는|을|를|의|와|과|도|에|로|으로|에게|께|만|까지|부터|처럼|보다|라|라는|이라는|입니다|다)';

interface LinkedStar {
  name: string;
  path: string;
}

/** A star whose name is written as the HTML has it. */
interface NamedStar extends LinkedStar {
  pattern: RegExp;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const asHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const patterns = new Map<string, RegExp>();

/** The pattern of a name, kept: making one takes longer than rendering a small component. */
function namePattern(name: string): RegExp {
  const cachedPattern = patterns.get(name);
  if (cachedPattern) return cachedPattern;
  if (patterns.size >= 5000) patterns.clear();
  const pattern = createPattern(name);
  patterns.set(name, pattern);
  return pattern;
}

/** Neither within a word nor within an entity, such as `amp`. */
function createPattern(name: string): RegExp {
  const hangul = /[가-힣]$/.test(name);
  return new RegExp(
    `(?<![\\p{L}\\p{N}]|&#?)${escaped(name)}${hangul ? particle : '(?![\\p{L}\\p{N}])'}`,
    'gu',
  );
}

/**
 * Links the first mention of each of the unlinked stars, and takes those stars out of the set. A mention is the longest name at its
 * place, also of a star that is linked already: who writes Moon River does not mean Moon.
 */
function linkText(text: string, stars: readonly NamedStar[], unlinkedStars: Set<NamedStar>): string {
  if (unlinkedStars.size === 0) return text;
  const mentions = stars
    .filter(({ name }) => text.includes(name))
    .flatMap((star) =>
      [...text.matchAll(star.pattern)].map(({ index: start }) => ({
        star,
        start,
        end: start + star.name.length,
      })),
    )
    .sort((one, other) => one.start - other.start || other.end - one.end);
  let linkedText = '';
  let copiedEnd = 0;
  let mentionEnd = 0;
  for (const { star, start, end } of mentions) {
    if (start < mentionEnd) continue;
    mentionEnd = end;
    if (!unlinkedStars.delete(star)) continue;
    linkedText += `${text.slice(copiedEnd, start)}<a class="star-link" href="${star.path}">${text.slice(start, end)}</a>`;
    copiedEnd = end;
  }
  return linkedText + text.slice(copiedEnd);
}

/**
 * Links the first mention of each star in an article's sanitised HTML. Looks only at the text of paragraphs outside links,
 * never inside tags.
 */
export function linkStars(html: string, stars: readonly LinkedStar[]): string {
  const namedStars = stars
    .filter(({ name }) => [...name].length > 1)
    .map(({ name, path }) => ({ name: asHtml(name), path }))
    .filter(({ name }) => html.includes(name))
    .map((star) => ({ ...star, pattern: namePattern(star.name) }));
  const unlinkedStars = new Set(namedStars);
  let inParagraph = false;
  let linkDepth = 0;
  return html
    .split(/(<[^>]+>)/)
    .map((part) => {
      if (part.startsWith('<')) {
        if (/^<\/?p[ >]/.test(part)) inParagraph = !part.startsWith('</');
        if (/^<a[ >]/.test(part)) linkDepth += 1;
        if (part.startsWith('</a')) linkDepth -= 1;
        return part;
      }
      return inParagraph && linkDepth === 0 ? linkText(part, namedStars, unlinkedStars) : part;
    })
    .join('');
}
