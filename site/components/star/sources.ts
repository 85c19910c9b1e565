import type { StarPage } from '#api/stars/model.ts';
import type { FactSource } from '#content/fact-source.ts';
import type { T } from '../../i18n/words.ts';

/** What the profile calls a fact, by its name in the star's document without its language. */
const labelKeys = {
  birthDate: 'birthday',
  realName: 'realName',
  nationality: 'nationality',
  height: 'height',
  bloodType: 'bloodType',
  debutDate: 'debut',
  agency: 'agency',
  biography: 'biography',
  fandomName: 'fandom',
  monthlyListeners: 'monthlyListeners',
  totalAlbumSales: 'albumsSold',
  members: 'members',
} as const;
/** Without a word of their own: the signs of a personality are called the same everywhere. */
const nameOf = (field: string, t: T): string | undefined => {
  const name = field.replace(/^words\.[a-z]+\./, '');
  if (name === 'mbti') return 'MBTI';
  const key = Object.entries(labelKeys).find(([each]) => each === name)?.[1];
  return key && t(`star:${key}`);
};

/** The sources of a star's facts and members, each once with what it says. */
export function sourcesOf(
  { sources, members }: Pick<StarPage, 'sources' | 'members'>,
  t: T,
): { source: FactSource; about: string[] }[] {
  const named = [
    ...sources.map(({ field, source }) => ({ label: nameOf(field, t), source })),
    ...members.flatMap(({ source }) => (source ? { label: t('star:members'), source } : [])),
  ];
  const byPlace = new Map<string, { source: FactSource; about: string[] }>();
  for (const { label, source } of named) {
    if (!label) continue;
    const key = `${source.name} ${source.url ?? ''}`;
    const known = byPlace.get(key) ?? { source, about: [] };
    if (!known.about.includes(label)) known.about.push(label);
    byPlace.set(key, known);
  }
  return [...byPlace.values()];
}
