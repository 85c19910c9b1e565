import { describe, expect, test } from 'bun:test';
import { isTangled, renderMarkdown } from '#api/articles/markdown.ts';
import { processorTime } from '#tests/kit/processor-time.ts';

describe('what an editor writes arrives', () => {
  test('paragraphs, emphasis, lists and quotes keep their meaning', () => {
    const html = renderMarkdown('One **bold** and *soft*.\n\n- first\n- second\n\n> A quote.');
    expect(html).toContain('<p>One <strong>bold</strong> and <em>soft</em>.</p>');
    expect(html).toContain('<li>first</li>');
    expect(html).toContain('<blockquote>\n<p>A quote.</p>\n</blockquote>');
  });

  test('the name after a quotation becomes its footer', () => {
    const html = renderMarkdown('> “밀물은 오는 게 보이지 않아요.” — 서리');
    expect(html).toContain('<p>“밀물은 오는 게 보이지 않아요.”</p><footer>서리</footer></blockquote>');
  });

  test('headings start at h2 whatever level they were written with, and skip none', () => {
    expect(renderMarkdown('# A\n\n### B')).toMatch(/<h2>A<\/h2>\s*<h3>B<\/h3>/);
    expect(renderMarkdown('### A\n\n###### B\n\n### C')).toMatch(/<h2>A<\/h2>\s*<h3>B<\/h3>\s*<h2>C<\/h2>/);
    expect(renderMarkdown('## Only')).toBe('<h2>Only</h2>');
  });

  test('a link that leaves vouches for nothing, opens no window and goes by https', () => {
    expect(renderMarkdown('[tour](http://example.com/tour "t")')).toBe(
      '<p><a href="https://example.com/tour" rel="noopener nofollow ugc">tour</a></p>',
    );
    expect(renderMarkdown('<a href="https://example.com" target="_blank">x</a>')).not.toContain('target');
  });

  test('a link inside the site is a plain link', () => {
    expect(renderMarkdown('[star](/ko/star/1)')).toBe('<p><a href="/ko/star/1">star</a></p>');
  });

  test('a picture of our image route gets its size', () => {
    expect(renderMarkdown('![Sea](/media/article-1/3x2-800.webp)')).toBe(
      '<p><img src="/media/article-1/3x2-800.webp" alt="Sea" width="800" height="533" loading="lazy" decoding="async" /></p>',
    );
  });

  test('an empty text is an empty body', () => {
    expect(renderMarkdown('')).toBe('');
    expect(renderMarkdown(' \n\n ')).toBe('');
  });
});

describe('what an attacker writes does not', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe src="https://evil.example"></iframe>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox)',
    '[x](//evil.example/path)',
    '[x](/\\evil.example)',
    '<a href="https://ok.example" onclick="alert(1)" style="position:fixed">x</a>',
    '<p style="background:url(https://evil.example/x)">x</p>',
    '<form action="https://evil.example"><input name=a></form>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<style>body{display:none}</style>',
    '<object data="https://evil.example"></object><embed src="https://evil.example">',
    '<div id="main" class="toast">x</div>',
    '![x](https://evil.example/pixel.png)',
    '![x](http://evil.example/pixel.png)',
    '![x](//evil.example/pixel.png)',
    '![x](/media/../secret/3x2-800.webp)',
    '![x](/media/a/3x2-801.webp)',
    '![x" onerror="alert(1)](/media/a/3x2-800.webp)',
    '<img src="/media/a/3x2-800.webp" srcset="https://evil.example/x 1x">',
    '<video poster="https://evil.example/p.png" src="x"></video>',
    '`<script>alert(1)</script>`',
    '```html"><script>alert(1)</script>\n<script>alert(1)</script>\n```',
    '<xmp><p title="</xmp><svg/onload=alert(1)>">',
    '<<script>script>alert(1)<</script>/script>',
    '> “x” — <img src=x onerror=alert(1)>',
  ];

  const text = new Set([
    'p',
    'h2',
    'h3',
    'h4',
    'ul',
    'ol',
    'li',
    'blockquote',
    'footer',
    'strong',
    'em',
    'del',
    'a',
    'br',
    'hr',
    'code',
    'pre',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
  ]);
  const attributes =
    /^(?:href="(?:https:\/\/|\/(?![/\\]))[^"]*"|rel="noopener nofollow ugc"|src="\/media\/[^"]*"|alt="[^"]*"|width="\d+"|height="\d+"|loading="lazy"|decoding="async")$/;

  for (const input of hostile) {
    test(`nothing of ${JSON.stringify(input)} runs or loads`, () => {
      const html = renderMarkdown(`before\n\n${input}\n\nafter`);
      for (const [, name = '', attributeText = ''] of html.matchAll(/<\/?([a-zA-Z][^\s/>]*)([^>]*)>/g)) {
        expect(text).toContain(name);
        for (const attribute of attributeText.match(/[^\s=/]+(?:="[^"]*")?/g) ?? [])
          expect(attribute).toMatch(attributes);
      }
      expect(html).not.toContain('evil.example/p');
      expect(html).toContain('before');
    });
  }

  const repeated =
    '[ *a_ *ㄱ_ _*a **a__ “*a_” *](a (*a_) ~a* [*a_ [a]( ![a]( <a <!-- <![CDATA[ &# `a ``a` [a][ **a ** *a**a* https://a. a@b. \\* ~~a~ [[]() <https:// ]( ![ " <b> <b_x=" |'.split(
      ' ',
    );
  const blocks = [
    '> ',
    '- ',
    '# a\n',
    '- *a_\n',
    '1. a\n',
    '[a]: b\n',
    '[a\n',
    '```\n',
    '|a|b|\n|-|-|\n',
    '\n — ',
    '\n',
    '    a\n',
  ];

  test('whatever is repeated without end is read in time, in a quotation too', () => {
    const slow = [...repeated, ...blocks].flatMap((unit) => {
      const text = unit.repeat(20_000 / unit.length);
      const took = processorTime(() => {
        renderMarkdown(text);
        renderMarkdown(`> ${text}`);
      });
      return took > 1_500 ? [`${JSON.stringify(unit)} ${took} ms`] : [];
    });
    expect(slow).toEqual([]);
  });

  test('a table that has more cells than its source has signs is refused, a long one of a story is not', () => {
    expect(isTangled(`${'a|'.repeat(30)}\n${'-|'.repeat(30)}\n${'a\n'.repeat(2_000)}`)).toBe(true);
    expect(isTangled(`|곡|길이|순위|\n|-|-|-|\n${'|밀물|3:21|1|\n'.repeat(200)}`)).toBe(false);
    expect(isTangled('- 곡\n'.repeat(1_000))).toBe(false);
  });

  test('white space without end is read at once', () => {
    for (const text of [`\`\`\`\n${'\n'.repeat(19_000)}x\n\`\`\``, `a${'\u3000'.repeat(19_000)}b`]) {
      expect(processorTime(() => renderMarkdown(text))).toBeLessThan(250);
    }
  });
});
