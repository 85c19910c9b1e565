/** Particles that may follow a Korean name; anything else means a longer word (벨 in 벨트). */
const particle =
  '(?=$|[^가-힣]|이|가|은|는|을|를|의|와|과|도|에|로|으로|에게|께|만|까지|부터|처럼|보다|라|라는|이라는|입니다|다)';

interface LinkedStar {
  name: string;
  path: string;
}

/** A star whose name is written as the HTML has it. */
interface UnlinkedStar extends LinkedStar {
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

/** Links the first mention of each star that is in no other's link, and takes those stars out of the set. */
function linkText(text: string, unlinkedStars: Set<UnlinkedStar>): string {
  const links: { start: number; end: number; path: string }[] = [];
  for (const star of unlinkedStars) {
    if (!text.includes(star.name)) continue;
    for (const { index: start } of text.matchAll(star.pattern)) {
      const end = start + star.name.length;
      if (links.some((link) => start < link.end && link.start < end)) continue;
      links.push({ start, end, path: star.path });
      unlinkedStars.delete(star);
      break;
    }
  }
  let linkedText = '';
  let from = 0;
  for (const { start, end, path } of links.sort((one, other) => one.start - other.start)) {
    linkedText += `${text.slice(from, start)}<a class="star-link" href="${path}">${text.slice(start, end)}</a>`;
    from = end;
  }
  return linkedText + text.slice(from);
}

/**
 * Links the first mention of each star in an article's sanitised HTML. Looks only at the text of paragraphs outside links,
 * never inside tags.
 */
export function linkStars(html: string, stars: readonly LinkedStar[]): string {
  const unlinkedStars = new Set(
    stars
      .filter(({ name }) => [...name].length > 1)
      .map(({ name, path }) => ({ name: asHtml(name), path }))
      .filter(({ name }) => html.includes(name))
      .map((star) => ({ ...star, pattern: namePattern(star.name) })),
  );
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
      return inParagraph && linkDepth === 0 ? linkText(part, unlinkedStars) : part;
    })
    .join('');
}
