import { renderMarkdown } from '#api/articles/markdown.ts';
import type { Lang } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { keepParticles } from '../../i18n/format.ts';
import { languageNames } from '../../i18n/language-names.ts';
import type { StaticPage } from '../../routes.ts';

interface PageText {
  title: string;
  description: string;
  html: string;
}

const sources = import.meta.glob<string>('../../../content/pages/*/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const rendered = new Map<string, PageText>();

/** A page's words in a language from `content/pages/<slug>/<language>.md`, made once: the names of product and languages filled in, Markdown as safe HTML. */
export function readStaticPage(slug: StaticPage, lang: Lang): PageText {
  const key = `${slug}/${lang}`;
  const known = rendered.get(key);
  if (known) return known;
  const source = sources[`../../../content/pages/${key}.md`];
  if (source === undefined) throw new Error(`content/pages/${key}.md is missing`);
  const named = source.replaceAll('{{product}}', site.name).replaceAll('{{languages}}', languageNames(lang));
  const made = parse(named, key);
  rendered.set(key, made);
  return made;
}

function parse(source: string, key: string): PageText {
  const [, head = '', body = ''] = source.match(/^---\n([\s\S]*?)\n---\n([\s\S]*)$/) ?? [];
  const fields = new Map(
    [...head.matchAll(/^(\w+): "(.*)"$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('\\"', '"'),
    ]),
  );
  const title = fields.get('title');
  const description = fields.get('description');
  if (!title || !description) throw new Error(`content/pages/${key}.md needs a title and a description`);
  return { title, description, html: keepParticles(renderMarkdown(body)) };
}
