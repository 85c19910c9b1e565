import { initials } from '#content/art/sign.ts';
import { languages, translated } from '#content/locales.ts';
import { searchTextOf } from '#content/plain-name.ts';
import { settleBulkLoad } from '#db/bulk-load.ts';
import { connection, database } from '#db/client.ts';
import { channels, channelTranslations } from '#db/schema/community.ts';
import {
  starAliases,
  starCategories,
  starMembers,
  starProfiles,
  stars,
  starTranslations,
} from '#db/schema/stars.ts';
import { chance } from '#db/seed/random.ts';
import { continueIds, insertRows } from '#db/seed/rows.ts';

/** A spelling in Hangul and one in Latin letters. */
type Part = readonly [hangul: string, latin: string];

const part = (pair: string): Part => {
  const [hangul = '', latin = ''] = pair.split(':');
  return [hangul, latin];
};

function parts(line: string): readonly [Part, ...Part[]] {
  const [first = '', ...others] = line.split(' ');
  return [part(first), ...others.map(part)];
}

/** Family names as often as they are, the commonest first. */
const families = parts(
  '김:Kim 이:Lee 박:Park 최:Choi 정:Jung 강:Kang 조:Cho 윤:Yoon 장:Jang 임:Lim 한:Han 오:Oh 서:Seo 신:Shin 권:Kwon 황:Hwang 안:Ahn 송:Song 전:Jeon 홍:Hong 유:Yoo 고:Ko 문:Moon 양:Yang 손:Son 배:Bae 백:Baek 허:Heo 남:Nam 심:Shim 노:Noh 하:Ha 곽:Kwak 성:Sung 차:Cha 주:Joo 우:Woo 구:Koo 나:Na 민:Min 진:Jin 지:Ji 엄:Eom 채:Chae 원:Won 방:Bang 공:Gong 현:Hyun 함:Ham 변:Byun',
);
/** Syllables of given names. */
const given = parts(
  '민:Min 지:Ji 서:Seo 현:Hyun 수:Soo 영:Young 은:Eun 진:Jin 유:Yu 하:Ha 준:Jun 우:Woo 윤:Yoon 재:Jae 혜:Hye 예:Ye 나:Na 다:Da 채:Chae 원:Won 연:Yeon 주:Ju 아:Ah 빈:Bin 승:Seung 호:Ho 성:Sung 태:Tae 형:Hyung 규:Kyu 희:Hee 소:So 경:Kyung 정:Jung 미:Mi 선:Sun 인:In 도:Do 시:Si 율:Yul 린:Rin 솔:Sol 별:Byul 찬:Chan 건:Geon 석:Seok 훈:Hoon 동:Dong 한:Han 라:Ra',
);
/** Words that name groups. */
const words = parts(
  '드림:Dream 스타:Star 블루:Blue 레드:Red 골든:Golden 나이트:Night 문:Moon 썬:Sun 키즈:Kids 보이즈:Boyz 걸즈:Girls 세븐:Seven 나인:Nine 식스:Six 하트:Heart 러브:Love 엔젤:Angel 판타지:Fantasy 미라클:Miracle 크라운:Crown 다이아:Dia 에이스:Ace 빅:Big 뉴:New 월드:World 시크릿:Secret 에코:Echo 루나:Luna 오로라:Aurora 벨벳:Velvet 체리:Cherry 애플:Apple 매직:Magic 플래닛:Planet 원더:Wonder 스카이:Sky 오션:Ocean 파이어:Fire 아이스:Ice 로켓:Rocket',
);

/** Every fifth star is a group, and the stars between two groups are in the first of them, former ones among them. */
const membersPerGroup = 4;
const perChunk = 1_000;

interface Named {
  ko: string;
  latin: string;
  aliases: string[];
}

/** What the star of a place is called: members by their given names alone, which many others have, too. */
function nameOf(place: number): Named {
  const luck = chance(`directory-${place}`);
  const join = ([a, b]: readonly [Part, Part]) => ({ ko: a[0] + b[0], latin: a[1] + b[1].toLowerCase() });
  if (place % (membersPerGroup + 1) === 0) {
    const [a, b] = [luck.pick(words), luck.pick(words)];
    return {
      ko: a[0] + b[0],
      latin: `${a[1]} ${b[1]}`.toUpperCase(),
      aliases: [`${a[0]} ${b[0]}`, a[1] + b[1]],
    };
  }
  const family = families[Math.floor(luck.next() ** 2 * families.length)] ?? families[0];
  const own = [luck.pick(given), luck.pick(given)] as const;
  const name = join(own);
  const whole = { ko: family[0] + name.ko, latin: `${family[1]} ${name.latin}` };
  const spelled = `${family[1]} ${own[0][1]}-${own[1][1].toLowerCase()}`;
  return luck.next() < 0.6
    ? { ...name, aliases: [whole.ko, whole.latin, spelled] }
    : { ...whole, aliases: [spelled, `${name.latin} ${family[1]}`] };
}

/** Names of a group's members, by which it is found, too. */
const membersFrom = (place: number): string[] =>
  Array.from({ length: membersPerGroup }, (_, index) => nameOf(place + index)).flatMap(({ ko, latin }) => [
    ko,
    latin,
  ]);

/** The rows of the star of a place, its id one more. */
function starOf(place: number) {
  const luck = chance(`star-${place}`);
  const id = place + 1;
  const group = id - (place % (membersPerGroup + 1));
  const { ko, latin, aliases } = nameOf(place);
  const names = { ...translated(() => latin), ko };
  const sign = initials(ko).join('');
  // Few are written about often, as everywhere.
  const articleCount = Math.floor(1 / (luck.next() + 0.0005));
  return {
    star: {
      id,
      slug: `directory-${id}`,
      name: ko,
      category: group === id ? ('K-Pop Group' as const) : luck.pick(starCategories),
      fandomColor: `#${luck.int(0, 0xffffff).toString(16).padStart(6, '0')}`,
      initials: sign,
      searchText: searchTextOf([
        ko,
        latin,
        ...aliases,
        ...(group === id ? membersFrom(place + 1) : []),
        sign,
      ]),
      articleCount,
      followerCount: articleCount * 3,
    },
    words: languages.map((language) => ({ starId: id, language, name: names[language] })),
    aliases: aliases.map((alias) => ({ starId: id, alias })),
    profile: {
      starId: id,
      debutDate: `20${luck.int(10, 25)}`,
      birthDate: group === id ? null : `${luck.int(1985, 2008)}-0${luck.int(1, 9)}-${luck.int(10, 28)}`,
    },
    membership:
      group === id
        ? []
        : [{ id, groupId: group, position: id - group, memberId: id, names, isFormer: luck.next() < 0.2 }],
    channel: {
      id,
      starId: id,
      memberCount: articleCount * luck.int(0, 20),
      lastActivityAt: luck.next() < 0.3 ? null : new Date(Date.UTC(2026, 10, 1) - luck.int(0, 8e9)),
    },
    description: { channelId: id, language: 'en' as const, description: `Fans of ${latin}` },
  };
}

/**
 * Fills the open, empty database with stars whose names are made as real ones are, in every language: namesakes, groups with their
 * members, some of them hidden, and a channel each. One that is filled already is used again.
 */
export async function fillDirectory(count: number): Promise<void> {
  const [row] = await connection()<{ n: number }[]>`select count(*)::int as n from channels`;
  if ((row?.n ?? 0) >= count) return;
  for (let from = 0; from < count; from += perChunk) {
    const all = Array.from({ length: Math.min(perChunk, count - from) }, (_, index) => starOf(from + index));
    await database().transaction(async (tx) => {
      await insertRows(
        tx,
        stars,
        all.map(({ star }) => star),
      );
      await insertRows(
        tx,
        starTranslations,
        all.flatMap(({ words }) => words),
      );
      await insertRows(
        tx,
        starAliases,
        all.flatMap(({ aliases }) => aliases),
      );
      await insertRows(
        tx,
        starProfiles,
        all.map(({ profile }) => profile),
      );
      await insertRows(
        tx,
        starMembers,
        all.flatMap(({ membership }) => membership),
      );
      await insertRows(
        tx,
        channels,
        all.map(({ channel }) => channel),
      );
      await insertRows(
        tx,
        channelTranslations,
        all.map(({ description }) => description),
      );
    });
  }
  await database().transaction(async (tx) => {
    for (const table of [stars, starMembers, channels]) await continueIds(tx, table);
  });
  await connection()`update stars set hidden_at = now() where id % 101 = 0`;
  await settleBulkLoad(connection());
}

/** Texts that fans type, as many as there are stars, none twice. */
export function typed(kind: 'name' | 'beginning' | 'latin' | 'initials' | 'letter', count: number): string[] {
  const texts = new Set<string>();
  for (let place = 0; place < count; place += 1) {
    const { ko, latin } = nameOf(place);
    if (kind === 'name') texts.add(ko);
    if (kind === 'beginning') texts.add(ko.slice(0, 2));
    if (kind === 'latin') texts.add(latin);
    if (kind === 'initials') texts.add(initials(ko).join('').slice(0, 2));
    if (kind === 'letter')
      for (const letter of [...ko, ...latin.toLowerCase()]) if (letter !== ' ') texts.add(letter);
  }
  return [...texts];
}
