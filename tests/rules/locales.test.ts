import { describe, expect, test } from 'bun:test';
import { type Lang, languages } from '#content/locales.ts';
import { filesOf } from './sources.ts';

type Area = Record<string, string>;

const catalogues = new Map(languages.map((lang) => [lang, readCatalogue(lang)]));
const english = areasOf('en');

describe('the words of the site', () => {
  test('are there', () => {
    expect(Object.keys(english).length).toBeGreaterThan(5);
    expect(Object.values(english).reduce((sum, area) => sum + Object.keys(area).length, 0)).toBeGreaterThan(
      150,
    );
  });

  for (const lang of languages) {
    describe(`in ${lang}`, () => {
      const words = [...wordsOf(lang)];

      test('have the areas, keys and order of English', () => {
        const keys = (areas: Record<string, Area>) =>
          Object.entries(areas).flatMap(([area, texts]) => Object.keys(texts).map((key) => `${area}:${key}`));
        expect(keys(areasOf(lang)).sort()).toEqual(keys(english).sort());
      });

      test('say something', () => {
        expect(words.filter(({ text }) => text.trim() === '').map(({ key }) => key)).toEqual([]);
      });

      test('fill in what English fills in', () => {
        const wrong = words.filter(({ key, text }) => {
          const own = placeholders(text);
          const model = placeholders(textOf('en', key));
          // “One minute” needs no number, whatever the other languages write.
          if (key.endsWith('_one'))
            return (
              own.filter((name) => name !== 'count').join() !==
              model.filter((name) => name !== 'count').join()
            );
          return own.join() !== model.join();
        });
        expect(wrong.map(({ key }) => key)).toEqual([]);
      });

      test('have no plural form too few', () => {
        const stems = new Set(
          words.flatMap(({ key }) => key.match(/^(.*)_(?:zero|one|two|few|many)$/)?.[1] ?? []),
        );
        const known = new Set(words.map(({ key }) => key));
        expect([...stems].filter((stem) => !known.has(`${stem}_other`))).toEqual([]);
      });
    });
  }

  for (const lang of ['en', 'ms', 'vi'] as const) {
    test(`in ${lang} hold no Hangul`, () => {
      const hangul = [...wordsOf(lang)].filter(
        ({ key, text }) => /\p{Script=Hangul}/u.test(text.replace(consonants, '')) && !nativeNames.has(key),
      );
      expect(hangul.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
    });
  }

  for (const lang of ['ko', 'ms', 'vi'] as const) {
    test(`in ${lang} are not left in English`, () => {
      const left = [...wordsOf(lang)].filter(
        ({ key, text }) => text === textOf('en', key) && !isTheSameEverywhere(lang, text),
      );
      expect(left.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
    });
  }

  for (const lang of ['ko', 'ms', 'vi'] as const) {
    test(`in ${lang} call a category of stars by one name, as these languages have no plural`, () => {
      const names = (area: string, keys: readonly string[]) =>
        keys.map((key) => textOf(lang, `${area}:${key}`));
      const ofOne = names('article', [
        'categoryGroup',
        'categorySolo',
        'categoryActor',
        'categoryActress',
        'categoryIdol',
      ]);
      expect(names('filter', ['group', 'solo', 'actor', 'actress', 'idol'])).toEqual(ofOne);
      expect(new Set(ofOne).size).toBe(5);
    });
  }

  test('in ko are polite, never plain', () => {
    const plain = [...wordsOf('ko')].filter(({ text }) => /(?:한|된|있|없|했|였|이)다[.!]?$/.test(text));
    expect(plain.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
  });
});

/** Words that Indonesian has and Malaysian Malay does not, or writes otherwise. */
const indonesian =
  /\b(?:karena|bisa|kalian|berita terbaru|gratis|unduh|unggah|kata sandi|tautan|pengaturan|silakan|konser|musik|rilis|penggemar|menit|resmi|nomor|telepon|televisi|kabar|merek|kantor|mobil|coba|Agustus|Maret|Desember|Juni|Juli|saat ini juga|nggak|Anda bisa)\b/i;

describe('Malay is Malaysian', () => {
  test('in the words of the site', () => {
    const found = [...wordsOf('ms')].filter(({ text }) => indonesian.test(text) || /\bberanda\b/i.test(text));
    expect(found.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
  });

  test('in the pages and the demo world', () => {
    const texts = [
      ...filesOf('content/pages/*/ms.md').map(({ path, text }) => ({ path, text })),
      ...filesOf('content/demo/**/*.json').flatMap(({ path, text }) =>
        malay(JSON.parse(text)).map((found) => ({ path, text: found })),
      ),
    ];
    expect(texts.length).toBeGreaterThan(100);
    const found = texts.flatMap(({ path, text }) => {
      const word = text.match(indonesian)?.[0];
      return word ? [`${path} ${word}`] : [];
    });
    expect(found).toEqual([]);
  });
});

/** Every text below a key `ms`. */
function malay(value: unknown, within = false): string[] {
  if (typeof value === 'string') return within ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => malay(inner, within || key === 'ms'));
}

/** An example of a search by initial consonants, which only Hangul can show. */
const consonants = /ㅍ\u2060?ㄷ\u2060?ㅂ/;

/** Keys whose text is a language's own name. */
const nativeNames = new Set(
  [...wordsOf('en')].filter(({ key }) => /native|languageName/i.test(key)).map(({ key }) => key),
);

/** Names and signs that no language translates, and words that Malay or Vietnamese share with English. */
const shared: Record<string, readonly string[]> = {
  every: [
    ...[
      'YouTube',
      'Instagram',
      'TikTok',
      'Spotify',
      'X',
      'Facebook',
      'Weibo',
      'Weverse',
      'V LIVE',
      'Bluesky',
    ],
    ...['RSS', 'Atom', 'JSON Feed', 'KST', 'OK', 'MBTI', 'AI', 'cm', 'LIVE', 'LIVE NOW', 'PADOBAN, ㅍㄷㅂ'],
  ],
  ms: [
    'Album',
    'Video',
    'Drama',
    'Idol',
    'Menu',
    'Status',
    'min',
    'Model',
    ', editor',
    'Comeback',
    'Debut',
    'Fandom',
    'Platform',
    'Multimedia',
  ],
  vi: ['Album', 'Video', 'Idol', 'Menu', 'Email', 'Comeback', 'Fandom', 'Concert', 'Fan meeting'],
  ko: [],
};

function isTheSameEverywhere(lang: Lang, text: string): boolean {
  const bare = text.replace(/\{\{[^}]*\}\}/g, '').trim();
  if (!/\p{L}/u.test(bare)) return true;
  return [...(shared.every ?? []), ...(shared[lang] ?? [])].includes(bare);
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)].map(([, name = '']) => name).sort();
}

function readCatalogue(lang: Lang): Record<string, Area> {
  return Object.fromEntries(
    filesOf(`content/locales/${lang}/*.json`).map(({ path, text }): [string, Area] => [
      path.split('/').at(-1)?.replace('.json', '') ?? '',
      JSON.parse(text),
    ]),
  );
}

function areasOf(lang: Lang): Record<string, Area> {
  return catalogues.get(lang) ?? {};
}

function textOf(lang: Lang, key: string): string {
  const [area = '', name = ''] = key.split(':');
  return areasOf(lang)[area]?.[name] ?? '';
}

function* wordsOf(lang: Lang): Generator<{ key: string; text: string }> {
  for (const [area, texts] of Object.entries(areasOf(lang))) {
    for (const [name, text] of Object.entries(texts)) yield { key: `${area}:${name}`, text };
  }
}
