import { describe, expect, test } from 'bun:test';
import { embedPlatformEntry, embedPlatforms } from '#content/embed-platforms.ts';
import { dormantLanguages, type Lang, languages } from '#content/locales.ts';
import { socialPlatformEntry, socialPlatforms } from '#content/social-platforms.ts';
import { type StaticPage, staticPages } from '#site/routes.ts';
import { filesOf, layerCode } from './sources.ts';

type Area = Record<string, string>;

/** What has a name of its own, and how else it was once called. */
const oneNameEach: Record<Lang, Record<string, RegExp>> = {
  ko: {
    일정: /이벤트/,
    페이지: /\d쪽|\}\}쪽|쪽 (?:이동|넘기기)/,
    버튼: /단추/,
    '느린 모드': /느린 대화/,
    '채팅 정지': /대화 막기/,
    '팔로우를 취소했어요': /팔로우를 그만/,
    'AI 활용 원칙': /AI 사용 방법|AI를 쓰는 방법/,
    링크: /캘린더 주소|주소 (?:만들기|복사|끄기)/,
    K팝: /K-팝|케이팝/,
  },
  en: {
    'Log in, Log out': /\bLog(?:in|out)\b|\b[Ss]ign (?:in|out)\b/,
    email: /\be-mail/i,
    'calendar app': /calendar program/,
    link: /calendar address|(?:make|switch|copy) the address/i,
    'an existing event': /known event/,
  },
  ms: {
    editor: /penyunting/i,
    mengikuti: /\bdiikuti\b|ikutan/i,
    'aplikasi kalendar': /program kalendar/i,
    'Dibantu AI': /AI\}\} dibantu/i,
    'e-mel': /\bemail\b|\be-mail\b|\bemel\b/i,
    fandom: /kelab peminat/i,
    ditemui: /dijumpai/i,
  },
  vi: {
    email: /\be-mail\b/i,
    'Người điều hành': /kiểm duyệt/i,
    'bỏ theo dõi': /thôi theo dõi/i,
    'liên kết': /đường dẫn (?:lịch|riêng)|địa chỉ lịch/i,
    xóa: /xoá/i,
    hủy: /huỷ/i,
  },
};

/** What the footer calls a page about the site; the first one is called by a shorter name there. */
const inFooter: Record<Exclude<StaticPage, 'about'>, string> = {
  editorial: 'editorial',
  ai: 'howAi',
  terms: 'terms',
  privacy: 'privacy',
  guidelines: 'guidelines',
};

/** Areas that reach an island, a letter or a reminder as a whole. */
const takenWhole = new Set([
  'boundary',
  'chat',
  'events',
  'filter',
  'hearts',
  'mail',
  'notices',
  'reminders',
  'verification',
]);

/** Those that wait are kept as complete as those that are read (decision L6). */
const writtenLanguages = [...languages, ...dormantLanguages];
type Written = (typeof writtenLanguages)[number];

const catalogues = new Map(writtenLanguages.map((lang) => [lang, readCatalogue(lang)]));
const english = areasOf('en');

describe('the words of the site', () => {
  test('are there', () => {
    expect(Object.keys(english).length).toBeGreaterThan(5);
    expect(Object.values(english).reduce((sum, area) => sum + Object.keys(area).length, 0)).toBeGreaterThan(
      150,
    );
  });

  test('are each said somewhere', () => {
    const code = layerCode()
      .map(({ text }) => text)
      .join('\n');
    const keys = new Set([...code.matchAll(/['"`]([a-z]+:\w+)['"`]/g)].map(([, key = '']) => key));
    const names = new Set([...code.matchAll(/[.'"`](\w+)/g)].map(([, name = '']) => name));
    const templates = [...code.matchAll(/`([a-z]+:\S*?\$\{.*?\}\w*)`/g)].map(
      ([, template = '']) => new RegExp(`^${template.replace(/\$\{.*?\}/g, '\\w+')}$`),
    );
    const isWhole = (area: string) =>
      takenWhole.has(area) || templates.some(({ source }) => source === `^${area}:\\w+$`);
    const isSaid = (area: string, name: string) =>
      keys.has(`${area}:${name}`) ||
      templates.some((each) => !each.source.includes(`:\\w+$`) && each.test(`${area}:${name}`)) ||
      (isWhole(area) && (names.has(name) || names.has(name.replace(/_.*/, ''))));
    const unsaid = [...wordsOf('en')].filter(({ key }) => {
      const [area = '', name = ''] = key.split(':');
      return !isSaid(area, name) && !isSaid(area, name.replace(/_(?:one|other)$/, ''));
    });
    expect(unsaid.map(({ key }) => key)).toEqual([]);
  });

  for (const lang of writtenLanguages) {
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
        const keys = new Set(words.map(({ key }) => key));
        expect([...stems].filter((stem) => !keys.has(`${stem}_other`))).toEqual([]);
      });
    });
  }

  for (const lang of languages.filter((each) => each !== 'ko')) {
    test(`in ${lang} hold no Hangul`, () => {
      const hangul = [...wordsOf(lang)].filter(
        ({ key, text }) => /\p{Script=Hangul}/u.test(text.replace(consonants, '')) && !nativeNames.has(key),
      );
      expect(hangul.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
    });
  }

  for (const lang of languages.filter((each) => each !== 'en')) {
    test(`in ${lang} are not left in English`, () => {
      const untranslated = [...wordsOf(lang)].filter(
        ({ key, text }) => text === textOf('en', key) && !isTheSameEverywhere(lang, text),
      );
      expect(untranslated.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
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

  test('in ko are 해요체 throughout, never the stiff register', () => {
    expect(saying('ko', /습니다|입니다|합니다|됩니다|십시오|하시오/)).toEqual([]);
  });

  test('in ko let no particle depend on how a name ends', () => {
    const particle = /\}\}[’”]?(?:은|는|이|가|을|를|과|와|으로|이에요|예요)(?![가-힣])|\([으이]\)/;
    expect(saying('ko', particle)).toEqual([]);
    const pages = filesOf('content/pages/*/ko.md').filter(({ text }) => particle.test(text));
    expect(pages.map(({ path }) => path)).toEqual([]);
  });

  test('have typographic quotes and one sign for an ellipsis', () => {
    // §2 fixes the English text of that field, full stops and all.
    const fixedText = 'en community:search Search for stars...';
    const typewriterSigns = writtenLanguages.flatMap((lang) =>
      saying(lang, /['"`]|\.\.\./).map((each) => `${lang} ${each}`),
    );
    expect(typewriterSigns).toEqual([fixedText]);
  });

  test('in en contract what people contract', () => {
    expect(saying('en', /\b(?:cannot|(?:do|does|did|will|would|should|could|have|has|had) not)\b/i)).toEqual(
      [],
    );
  });

  test('in en count one thing as one', () => {
    const keys = new Set([...wordsOf('en')].map(({ key }) => key));
    // These numbers are never one: a limit, what is more than a day's panel shows, choices of several.
    const several = [
      'reminders:tooManyTimes',
      'events:viewAllOfDay',
      'verification:approveMany',
      'verification:rejectMany',
    ];
    const withoutSingular = [...wordsOf('en')].filter(
      ({ key, text }) =>
        /\{\{(?:count|number)\}\}(?: more)? [a-z]+s\b/.test(text) &&
        !(key.endsWith('_other') && keys.has(key.replace(/_other$/, '_one'))) &&
        !key.endsWith('_one') &&
        !several.includes(key),
    );
    expect(withoutSingular.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
  });

  for (const lang of languages) {
    test(`in ${lang} call one thing by one name`, () => {
      const otherNames = Object.entries(oneNameEach[lang]).flatMap(([name, others]) =>
        saying(lang, others).map((each) => `${each}: say ${name}`),
      );
      expect(otherNames).toEqual([]);
    });

    test(`in ${lang} say where what was rejected stays, and that it can be undone`, () => {
      const rejected = textOf(lang, 'verification:rejected');
      expect(textOf(lang, 'verification:rejectText')).toContain(rejected);
    });

    test(`in ${lang} name a page in the footer as it names itself`, () => {
      for (const [slug, key] of Object.entries(inFooter)) {
        const page = filesOf(`content/pages/${slug}/${lang}.md`)[0]?.text ?? '';
        expect([slug, page.match(/^title: "(.*)"$/m)?.[1]]).toEqual([slug, textOf(lang, `common:${key}`)]);
      }
    });
  }
});

test('the footer leads to every page about the site', () => {
  const footer = filesOf('site/components/common/Footer.astro')[0]?.text ?? '';
  expect(staticPages.filter((slug) => !footer.includes(`'${slug}'`))).toEqual([]);
});

/** Words that Indonesian has and Malaysian Malay does not, or writes otherwise. */
const indonesian =
  /\b(?:karena|bisa|kalian|berita terbaru|gratis|unduh|unggah|kata sandi|tautan|pengaturan|silakan|konser|musik|rilis|penggemar|menit|resmi|nomor|telepon|televisi|kabar|merek|kantor|mobil|coba|Agustus|Maret|Desember|Juni|Juli|saat ini juga|nggak|Anda bisa|informasi|akun|jadwal|dijadwalkan|notifikasi|surel|tombol|situs|obrolan|pencarian|berlangganan|tampilkan)\b/i;

describe('Malay is Malaysian', () => {
  test('in the words of the site', () => {
    const indonesianTexts = [...wordsOf('ms')].filter(
      ({ text }) => indonesian.test(text) || /\bberanda\b/i.test(text),
    );
    expect(indonesianTexts.map(({ key, text }) => `${key} ${text}`)).toEqual([]);
  });

  test('in the pages and the demo world', () => {
    const texts = [
      ...filesOf('content/pages/*/ms.md').map(({ path, text }) => ({ path, text })),
      ...filesOf('content/demo/**/*.json').flatMap(({ path, text }) =>
        malay(JSON.parse(text)).map((message) => ({ path, text: message })),
      ),
    ];
    expect(texts.length).toBeGreaterThan(100);
    const indonesianTexts = texts.flatMap(({ path, text }) => {
      const word = text.match(indonesian)?.[0];
      return word ? [`${path} ${word}`] : [];
    });
    expect(indonesianTexts).toEqual([]);
  });
});

/** What of a language's words says this, each with its key. */
function saying(lang: Written, what: RegExp): string[] {
  return [...wordsOf(lang)].filter(({ text }) => what.test(text)).map(({ key, text }) => `${key} ${text}`);
}

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
    ...embedPlatforms.map((platform) => embedPlatformEntry(platform).name),
    ...socialPlatforms.map((platform) => socialPlatformEntry(platform).name),
    ...['RSS', 'Atom', 'JSON Feed', 'KST', 'OK', 'MBTI', 'AI', 'cm', 'LIVE'],
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
    'Editor',
    ', editor',
    'Comeback',
    'Debut',
    'Fandom',
    'Platform',
    'Multimedia',
  ],
  vi: ['Album', 'Video', 'Idol', 'Menu', 'Email', 'Comeback', 'Fan', 'Fandom', 'Fan meeting'],
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

function readCatalogue(lang: Written): Record<string, Area> {
  return Object.fromEntries(
    filesOf(`content/locales/${lang}/*.json`).map(({ path, text }): [string, Area] => [
      path.split('/').at(-1)?.replace('.json', '') ?? '',
      JSON.parse(text),
    ]),
  );
}

function areasOf(lang: Written): Record<string, Area> {
  return catalogues.get(lang) ?? {};
}

function textOf(lang: Lang, key: string): string {
  const [area = '', name = ''] = key.split(':');
  return areasOf(lang)[area]?.[name] ?? '';
}

function* wordsOf(lang: Written): Generator<{ key: string; text: string }> {
  for (const [area, texts] of Object.entries(areasOf(lang))) {
    for (const [name, text] of Object.entries(texts)) yield { key: `${area}:${name}`, text };
  }
}
