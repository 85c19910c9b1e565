/** Which tags are markup: those within a line alone, for what should have none, or all that HTML knows. */
export type Tags = 'inline' | 'html';

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const inlineTags = setOf('a b br em font i span strong sub sup u');
const htmlTags = setOf(
  'a abbr acronym address area article aside audio b base basefont bdi bdo big blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noscript o:p object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr',
);
/** Elements that are always closed, and whose names are also words: `<Ruby>` and `<STYLE>` are records. */
const wordTags = setOf(
  'audio button canvas center data details dialog figure form frame head label map mark object picture progress ruby search select slot style summary template time title var video',
);
/** What may be an element's only attribute and has no value. */
const valueless = setOf(
  'allowfullscreen amp-boilerplate amp-custom async autoplay border checked compact controls defer disabled hidden ismap itemscope loop multiple muted nomodule noshade nowrap open playsinline readonly required reversed scoped selected',
);

/** Where parsers take what follows for a tag or a comment. */
const tagStart = /<(?=[!?/a-z])/gi;
const notOfElements = /<(?:!--|!doctype|!\[|\?[a-z])/iy;
const tagNamed = /<(\/?)([a-z][a-z\d:-]{0,30})(?![^\s/>])/iy;
/** All of it up to the sign that says what it was; it ends before the next tag, so that no text is looked through twice. */
const wordsOfTag = /[^<>"'=]*/y;

/**
 * Markup in which each `<` that begins no tag is escaped. Korean news puts the titles of songs and programmes into angle
 * brackets, and parsers of HTML drop `<SBS 인기가요>` as a tag that they do not know.
 */
export function escapeWords(markup: string, tags: Tags): string {
  const closings = new Map<string, number>();
  let lowered: string | undefined;
  const isClosedBehind = (name: string, at: number) => {
    lowered ??= markup.toLowerCase();
    const last = closings.get(name) ?? lowered.lastIndexOf(`</${name}`);
    closings.set(name, last);
    return last > at;
  };
  return markup.replace(tagStart, (sign, at: number) =>
    isTag(markup, at, tags, isClosedBehind) ? sign : '&lt;',
  );
}

function isTag(
  markup: string,
  at: number,
  tags: Tags,
  isClosedBehind: (name: string, at: number) => boolean,
): boolean {
  tagNamed.lastIndex = at;
  const [start, slash, given = ''] = tagNamed.exec(markup) ?? [];
  notOfElements.lastIndex = at;
  if (start === undefined) return tags === 'html' && notOfElements.test(markup);
  const name = given.toLowerCase();
  const isKnown = (tags === 'inline' ? inlineTags : htmlTags).has(name);
  if (slash === '/') return isKnown || tags === 'html';
  wordsOfTag.lastIndex = at + start.length;
  const words = wordsOfTag.exec(markup)?.[0].trim() ?? '';
  const end = markup.charAt(wordsOfTag.lastIndex);
  // An element that HTML does not know is one where it has attributes.
  if (end === '=') return /[\w-]$/.test(words) && (isKnown || tags === 'html');
  if (!isKnown || end !== '>') return false;
  if (words !== '' && words !== '/') return words.split(/[\s/]+/).every((word) => valueless.has(word));
  // `<I>` is a song, too.
  const mayStayOpen = tags === 'html' ? !wordTags.has(name) : name === 'br';
  return mayStayOpen || isClosedBehind(name, at);
}
