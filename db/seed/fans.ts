import { sql } from 'drizzle-orm';
import type { Lang } from '#content/locales.ts';
import type { Transaction } from '../client.ts';
import { follows, users } from '../schema/accounts.ts';
import { accountKey } from './accounts.ts';
import type { Beginning } from './articles.ts';
import type { DemoWorld, FanFile } from './content.ts';
import { chance } from './random.ts';
import { continueIds, insertRows } from './rows.ts';
import { type StarIdBySlug, starIdOf } from './stars.ts';

/** Fans of the demo world, those of fans.json included. None has a password. */
const fanCount = 240;
const day = 86_400_000;

export interface Fans {
  /** Ids by username. */
  ids: ReadonlyMap<string, number>;
  /** Ids of the fans who follow a star, by its slug; the first are the keenest. */
  followers: ReadonlyMap<string, readonly number[]>;
}

/** Inserts the fans and whom they follow. A star of the first twelve has 40–180 followers, any other 10–60. */
export async function seedFans(
  tx: Transaction,
  world: DemoWorld,
  starIds: StarIdBySlug,
  { now }: Beginning,
): Promise<Fans> {
  const luck = chance('fans');
  const [last] = await tx.select({ id: sql<number>`coalesce(max(${users.id}), 0)` }).from(users);
  const firstId = (last?.id ?? 0) + 1;
  const rows = allFans(world.fans).map((fan, index) => ({
    id: firstId + index,
    username: fan.username,
    usernameKey: accountKey(fan.username),
    displayName: fan.displayName,
    language: fan.language,
    createdAt: new Date(now.getTime() - luck.int(200 * day, 900 * day)),
  }));
  await insertRows(tx, users, rows);
  await continueIds(tx, users);
  const ids = new Map(rows.map((row) => [row.username, row.id]));
  const followers = new Map(world.stars.map((star) => [star.slug, followersOf(star, world, ids)]));
  const following = [...followers].flatMap(([slug, fans]) =>
    fans.map((userId) => ({
      userId,
      starId: starIdOf(starIds, slug),
      createdAt: new Date(now.getTime() - luck.int(1, 200 * day)),
    })),
  );
  await insertRows(tx, follows, following);
  return { ids, followers };
}

/** Who follows a star: first those who talk in its channel, then a seeded choice, fewer the lower it stands. */
function followersOf(
  { slug, order }: { slug: string; order: number },
  { channels }: DemoWorld,
  ids: ReadonlyMap<string, number>,
): number[] {
  const luck = chance(`followers-${slug}`);
  const count =
    order <= 12
      ? 178 - (order - 1) * 12 + luck.int(-6, 2)
      : Math.max(10, 58 - (order - 13) * 2.7 + luck.int(-4, 2));
  const talking = channels.find(({ star }) => star === slug)?.messages.map(({ fan }) => fan) ?? [];
  const names = [...new Set([...talking, ...luck.shuffle([...ids.keys()])])];
  return names.slice(0, Math.round(count)).map((name) => fanId(ids, name));
}

/** The id of a fan that the demo's files name. */
export function fanId(ids: ReadonlyMap<string, number>, username: string): number {
  const id = ids.get(username);
  if (id === undefined) throw new Error(`content/demo names a fan who is not in fans.json: ${username}`);
  return id;
}

interface Fan extends Omit<FanFile, 'displayName'> {
  displayName: string | null;
}

const nameParts = {
  ko: [
    ['바다', '구름', '노을', '감자', '연필', '모과', '별밤', '골목', '우유', '단추'],
    ['한스푼', '수집가', '산책', '일기', '정거장', '창문', '편지', '라디오', '지킴이', '모퉁이'],
  ],
  en: [
    ['paper', 'quiet', 'minor', 'velvet', 'tiny', 'late', 'amber', 'second', 'pocket', 'north'],
    ['lantern', 'chorus', 'window', 'comet', 'ticket', 'teapot', 'encore', 'harbour', 'sparrow', 'row'],
  ],
  ms: [
    ['bintang', 'awan', 'senja', 'kopi', 'teratai', 'angin', 'langit', 'rimba', 'pasir', 'embun'],
    ['biru', 'petang', 'manis', 'setia', 'kecil', 'utara', 'pagi', 'ria', 'damai', 'jauh'],
  ],
  vi: [
    ['may', 'nang', 'gio', 'sao', 'hoa', 'trang', 'bien', 'sen', 'song', 'mo'],
    ['xanh', 'khuya', 'nho', 'hong', 'sang', 'xa', 'dem', 'tim', 'am', 'vang'],
  ],
} as const satisfies Record<Lang, readonly [readonly string[], readonly string[]]>;

const mostUsed: readonly Lang[] = ['ko', 'ko', 'en', 'ms', 'vi', 'en'];

/** The named fans and, up to the full number, fans with a plain username. */
function allFans(named: readonly FanFile[]): Fan[] {
  const takenKeys = new Set(named.map(({ username }) => accountKey(username)));
  const plain: Fan[] = [];
  for (let index = 0; named.length + plain.length < fanCount; index += 1) {
    const language = mostUsed[index % mostUsed.length] ?? 'ko';
    const [firsts, seconds] = nameParts[language];
    const first = firsts[index % firsts.length];
    const second = seconds[Math.floor(index / firsts.length + index) % seconds.length];
    const username = language === 'ko' ? `${first}${second}` : `${first}_${second}`;
    if (takenKeys.has(username)) continue;
    takenKeys.add(username);
    plain.push({ username, displayName: null, language });
  }
  return [...named, ...plain];
}
