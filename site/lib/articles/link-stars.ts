/** Particles that may follow a Korean name; anything else means a longer word (벨 in 벨트). */
const particle =
  '(?=$|[^가-힣]|이|가|은|는|을|를|의|와|과|도|에|로|으로|에게|께|만|까지|부터|처럼|보다|라|라는|이라는|입니다|다)';

interface LinkedStar {
  name: string;
  path: string;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

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

function createPattern(name: string): RegExp {
  const hangul = /[가-힣]$/.test(name);
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}${hangul ? particle : '(?![\\p{L}\\p{N}])'}`, 'u');
}

/**
 * Links the first mention of each star in an article's sanitised HTML. Looks only at the text of paragraphs outside links,
 * never inside tags.
 */
export function linkStars(html: string, stars: readonly LinkedStar[]): string {
  const unlinkedStars = new Map(
    stars
      .filter(({ name }) => [...name].length > 1 && html.includes(name))
      .map((star) => [star, namePattern(star.name)]),
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
      if (!inParagraph || linkDepth > 0) return part;
      let text = part;
      for (const [star, pattern] of unlinkedStars) {
        if (text.includes('<') || !pattern.test(text)) continue;
        text = text.replace(pattern, (name) => `<a class="star-link" href="${star.path}">${name}</a>`);
        unlinkedStars.delete(star);
      }
      return text;
    })
    .join('');
}
