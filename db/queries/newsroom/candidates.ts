import { and, asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Lang } from '#content/locales.ts';
import { database } from '../../client.ts';
import { stories, storyCandidates, storyStars } from '../../schema/newsroom.ts';
import { starMembers, starProfiles, stars, starTranslations } from '../../schema/stars.ts';
import { execute, jsonArray, jsonObject, nullable, type RowOf, selectValue } from '../../sql.ts';
import { s, shownName, st, wordsIn } from '../stars/badge.ts';
import { hasLeft } from '../stars/membership.ts';
import { chosenScore, decided, lockOpenStory, writeStoryStars } from './stories.ts';

const c = alias(storyCandidates, 'c');
const p = alias(starProfiles, 'p');
const m = alias(starMembers, 'm');
const g = alias(stars, 'g');
const gt = alias(starTranslations, 'gt');

const candidateFields = (language: Lang) => ({
  /** As the source writes it. */
  name: c.name,
  /** Those whom it may mean, told apart by their groups, number, category and year of birth. */
  stars: jsonArray(
    jsonObject({
      id: s.id,
      name: shownName(),
      category: s.category,
      groups: selectValue(
        jsonArray(shownName(g, gt), {
          orderBy: sql`${hasLeft(m)}, ${g.articleCount} desc, ${g.id}`,
        }),
        sql`from ${starMembers} ${m} join ${stars} ${g} on ${g.id} = ${m.groupId}
          left join ${starTranslations} ${gt} on ${wordsIn(language, g, gt)}
          where ${m.memberId} = ${s.id}`,
      ),
      birthYear: nullable(sql<number>`left(${p.birthDate}, 4)::int`),
    }),
    { orderBy: sql`${s.articleCount} desc, ${s.id}` },
  ),
});

/** Names of a held story of which it is open whom they mean. */
export type OpenName = RowOf<ReturnType<typeof candidateFields>>;

/** The open names of a story in the order of their weight. One statement. */
export function listOpenNames(storyId: number, language: Lang): Promise<OpenName[]> {
  return execute(
    candidateFields(language),
    (columns) => sql`
      select ${columns} from ${storyCandidates} ${c} join ${stars} ${s} on ${s.id} = ${c.starId}
        left join ${starTranslations} ${st} on ${wordsIn(language)} left join ${starProfiles} ${p} on ${p.starId} = ${s.id}
      where ${c.storyId} = ${storyId} group by ${c.name} order by max(${c.score}) desc, ${c.name}`,
  );
}

/**
 * An editor says whom a name of a story means, `null`: none of those it may mean. With the last open name the story goes on, and its stars
 * are the editor's: another telling does not ask anew. Without any star it stays held, and is asked again when its source has other words. @returns false when the story is none that is open, `changed` when the name is not open (any more), `unknown` when it may not
 * mean that star
 */
export function chooseCandidate(
  storyId: number,
  { name, starId }: { name: string; starId: number | null },
  editorId: number,
): Promise<boolean | 'changed' | 'unknown'> {
  return database().transaction(async (tx) => {
    if (!(await lockOpenStory(tx, storyId))) return false;
    const ofName = and(eq(storyCandidates.storyId, storyId), eq(storyCandidates.name, name));
    const candidates = await tx.select().from(storyCandidates).where(ofName);
    const chosen = candidates.find((candidate) => candidate.starId === starId);
    if (candidates.length === 0) return 'changed';
    if (starId !== null && !chosen) return 'unknown';
    await tx.delete(storyCandidates).where(ofName);
    const named = await tx
      .select({ starId: storyStars.starId, score: storyStars.score })
      .from(storyStars)
      .where(eq(storyStars.storyId, storyId))
      .orderBy(asc(storyStars.position));
    const starsOfStory = chosen ? placed(named, chosen) : named;
    const [open] = await tx
      .select({ name: storyCandidates.name })
      .from(storyCandidates)
      .where(eq(storyCandidates.storyId, storyId))
      .limit(1);
    await writeStoryStars(
      tx,
      storyId,
      starsOfStory.map((star) => (open ? star : { ...star, score: chosenScore })),
    );
    if (!open) {
      const isNamed = starsOfStory.length > 0;
      await tx
        .update(stories)
        .set({
          stage: isNamed ? 'waiting' : 'held',
          reason: isNamed ? null : 'no_star',
          details: null,
          nextTryAt: sql`now()`,
          updatedAt: sql`now()`,
        })
        .where(and(eq(stories.id, storyId), eq(stories.reason, 'namesakes')));
    }
    await decided(tx, editorId, 'story.stars', storyId, { name, starId });
    return true;
  });
}

interface ScoredStar {
  starId: number;
  score: number;
}

/** The stars of a story with one that an editor chose, before those that the text says less of. */
function placed(named: readonly ScoredStar[], { starId, score }: ScoredStar): ScoredStar[] {
  const others = named.filter((star) => star.starId !== starId);
  const after = others.findIndex((star) => star.score < score);
  return others.toSpliced(after === -1 ? others.length : after, 0, { starId, score: chosenScore });
}
