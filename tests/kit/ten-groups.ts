import kpopnet from 'kpopnet.json';
import { type Lang, languages, type Translated, translated } from '#content/locales.ts';
import type { Outlet } from './feeds.ts';
import { link, says, text, time, type Wikimedia } from './wikimedia.ts';

/**
 * Ten real groups with what a test needs to make their profiles full: what others say of them, and words of an editor. It claims nothing
 * about anybody that kpopnet.json does not say.
 */

const wanted = [
  ...['NewJeans', 'aespa', 'STAYC', 'TWICE', 'Red Velvet', 'fromis_9'],
  ...['Dreamcatcher', 'Kep1er', 'NMIXX', 'IZ*ONE'],
];

export interface Group {
  /** As kpopnet.json writes it. */
  korean: string;
  name: string;
  debutDate: string;
  page: string;
  /** Of Wikidata. */
  item: string;
  /** Of Commons. */
  file: string;
}

const entries = wanted.map((name, index) => {
  const entry = kpopnet.groups.find((each) => each.name === name);
  if (!entry) throw new Error(`kpopnet.json has no group ${name}`);
  const number = index + 1;
  const group: Group = {
    korean: entry.name_original,
    name,
    debutDate: entry.debut_date ?? '',
    page: entry.urls[0] ?? '',
    item: `Q${1000 + number}`,
    file: `Group ${number}.jpg`,
  };
  return { entry, group };
});

export const tenGroups: readonly Group[] = entries.map(({ group }) => group);

/** A group in the site's language, as the labels of its item have it. */
export const nameOf = ({ korean, name }: Group, lang: Lang): string => (lang === 'ko' ? korean : name);

/** Of the first. */
export const nationality: Translated = {
  ...translated(() => 'South Korea'),
  ko: '대한민국',
  ms: 'Korea Selatan',
  vi: 'Hàn Quốc',
};

export const commonsCredit = 'Sori Kim';

/** Items of all of them with a free picture each, the first with a country. @param picture its bytes, by the number of the group */
export function describeGroups(wiki: Wikimedia, picture: (index: number) => Uint8Array<ArrayBuffer>): void {
  wiki.items.Q1 = { labels: nationality };
  for (const [index, group] of tenGroups.entries()) {
    wiki.items[group.item] = {
      labels: translated((lang) => nameOf(group, lang)),
      descriptions: { en: 'South Korean group' },
      claims: {
        ...(index === 0 && { P27: [says(link('P27', 'Q1'))] }),
        P2031: [says(time('P2031', group.debutDate))],
        P18: [says(text('P18', group.file))],
      },
    };
    wiki.files[group.file] = {
      extmetadata: { Artist: commonsCredit, License: 'cc-by-4.0', LicenseShortName: 'CC BY 4.0' },
      download: () => new Response(picture(index)),
    };
  }
}

/** A story of each: who its profile names. */
export function tellOf(outlet: Outlet): void {
  outlet.stories = entries.map(({ entry, group }, index) => {
    const members = entry.members.flatMap(
      ({ idol_id }) => kpopnet.idols.find(({ id }) => id === idol_id) ?? [],
    );
    const korean = members.map((member) => `${member.name_original}(${member.real_name_original})`);
    const latin = members.map((member) => `${member.name} (${member.real_name})`);
    const summary = `${group.korean} 프로필: ${korean.join(', ')}. ${latin.join(', ')}.`;
    return { path: `/${index + 1}`, title: `${group.korean} 프로필`, summary, page: [summary] };
  });
}

type Write = (name: string) => string;

const headlines: Record<Lang, Write> = {
  ko: (name) => `${name} 프로필에서 읽을 수 있는 것`,
  en: (name) => `What ${name}’s profile tells`,
  ms: (name) => `Apa yang ada dalam profil ${name}`,
  vi: (name) => `Hồ sơ của ${name} có những gì`,
};
const bodies: Record<Lang, Write> = {
  ko: (name) =>
    `누가 ${name}에 속하는지 한곳에서 볼 수 있게 됐다. 표기는 두 가지 문자로 나란히 제공된다.\n\n이 원고는 기능을 확인하려고 준비한 것이어서 새로운 사실은 담지 않는다.`,
  en: (name) =>
    `Readers find in one place who belongs to ${name}, in two ways of writing.\n\nThis text was made to see whether everything works, so it brings nothing new.`,
  ms: (name) =>
    `Pembaca dapat melihat di satu tempat siapa yang bersama ${name}, dalam dua cara tulisan.\n\nTeks ini disediakan untuk menguji laman, jadi tiada perkara baharu di dalamnya.`,
  vi: (name) =>
    `Người đọc xem được ở một nơi những ai thuộc ${name}, bằng hai cách viết.\n\nBài này được soạn để kiểm tra trang web nên không có thông tin mới.`,
};

export const headlineOf = (group: Group, lang: Lang): string => headlines[lang](nameOf(group, lang));

/** What the model answers. @param name of the group in the language */
export const rewriteOf = (lang: Lang, name: string): string =>
  JSON.stringify({
    title: headlines[lang](name),
    summary: [bodies[lang](name).split('\n')[0]],
    body: bodies[lang](name),
  });

const editorsWords = {
  debut: {
    ko: (name) => `${name} 데뷔`,
    en: (name) => `${name} makes its debut`,
    ms: (name) => `${name} membuat penampilan sulung`,
    vi: (name) => `${name} ra mắt`,
  },
  photo: {
    ko: (name) => `${name}의 색으로 만든 그림`,
    en: (name) => `A picture of ${name}’s colours`,
    ms: (name) => `Gambar dengan warna ${name}`,
    vi: (name) => `Ảnh mang màu của ${name}`,
  },
  achievement: {
    ko: (name) => `${name} 프로필 완성`,
    en: (name) => `A full profile of ${name}`,
    ms: (name) => `Profil lengkap ${name}`,
    vi: (name) => `Hồ sơ đầy đủ của ${name}`,
  },
  award: {
    ko: () => '편집부 시험 기록',
    en: () => 'Test record of the editors',
    ms: () => 'Rekod ujian sidang editor',
    vi: () => 'Ghi chép thử của ban biên tập',
  },
} as const satisfies Record<string, Record<Lang, Write>>;

export const wordsOf = (what: keyof typeof editorsWords, group: Group, lang: Lang): string =>
  editorsWords[what][lang](nameOf(group, lang));

/** The fields that ask for it in every language. */
const inAll = (field: string, what: keyof typeof editorsWords, group: Group) =>
  languages.map((lang) => [`${field}.${lang}`, wordsOf(what, group, lang)] as const);

/** What is typed into the forms of the sections of a group's editor. */
export const entriesOf = (group: Group) => ({
  photos: Object.fromEntries([...inAll('title', 'photo', group), ['photographer', 'Byeol']]),
  timeline: Object.fromEntries([
    ...inAll('title', 'debut', group),
    ['date', group.debutDate],
    ['type', 'debut'],
    ['sourceName', 'kpopnet'],
    ['sourceUrl', group.page],
  ]),
  achievements: Object.fromEntries([
    ...inAll('achievement', 'achievement', group),
    ...inAll('awardName', 'award', group),
    ['awardDate', '2026'],
  ]),
});
