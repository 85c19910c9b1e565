import { Temporal } from 'temporal-polyfill';
import { isLang, type Lang, languages } from '#content/locales.ts';
import { isBefore } from '#content/partial-date.ts';
import { type SocialPlatform, socialPlatformEntry } from '#content/social-platforms.ts';
import { writing } from '#content/writing.ts';
import { type StarList, starLists } from '#db/queries/directory/document.ts';
import { languageList, wholeNumber } from '../../i18n/format.ts';
import type { T } from '../../i18n/words.ts';
import { fieldName } from './failure.ts';
import { sectionOf } from './star-sections.ts';
import { nameIn, valueAt } from './star-values.ts';

/** How the editor of a star says what stands in its document. */

const isList = (field: string): field is StarList => starLists.some((each) => each === field);

/** A field by its path, with its language: `words.ko.name` is “Name · 한국어”. */
export function pathLabel(t: T, path: string): string {
  const field = path.replace(/^(?:sources|externalIds)\./, '');
  if (isList(field)) return t(`admin:section_${sectionOf(field)}`);
  const language = field.split('.').find(isLang);
  const label = [fieldName(t, field), language && writing[language].nativeName].filter(Boolean).join(' · ');
  return path.startsWith('sources.') ? t('admin:sourceOf', { field: label }) : label;
}

/** A value as one line; a list as how many it has. */
export function valueLine(t: T, lang: Lang, value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'number') return wholeNumber(lang, value);
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string')
      ? value.join(', ')
      : t('admin:total', { count: value.length });
  if (typeof value === 'object') return String(valueAt(value, 'key') ?? '');
  return String(value);
}

/** Whether a member has left, as `db/queries/stars/membership.ts` tells readers. */
function hasLeft(member: object): boolean {
  const until = String(valueAt(member, 'until') ?? '');
  const today = Temporal.Now.plainDateISO('UTC').toString();
  return valueAt(member, 'isFormer') === true || (until !== '' && !isBefore(today, until));
}

/** What an entry is called in its list, in the language nearest to the page's; and what else tells it apart. */
export function entryLine(
  t: T,
  lang: Lang,
  list: StarList,
  item: object,
): { title: string; language: Lang | undefined; about: string } {
  const say = (path: string) => String(valueAt(item, path) ?? '');
  const language = [lang, 'en' as const, ...languages].find((each) =>
    valueAt(item, list === 'members' ? `names.${each}` : `words.${each}`),
  );
  const ownLanguage = language === lang ? undefined : language;
  const word = (name: string) => (language ? say(`words.${language}.${name}`) : '');
  const join = (...parts: string[]) => parts.filter(Boolean).join(' · ');
  switch (list) {
    case 'members': {
      const period = say('since') || say('until') ? `${say('since')}–${say('until')}` : '';
      const role = nameIn(valueAt(item, 'roles'), lang);
      return {
        title: nameIn(valueAt(item, 'names'), lang),
        language: ownLanguage,
        about: join(role, period, hasLeft(item) ? t('star:formerMember') : ''),
      };
    }
    case 'photos':
      return {
        title: word('title') || t('admin:untitled'),
        language: word('title') ? ownLanguage : undefined,
        about: join(
          t(`star:photo_${say('category')}` as 'star:photo_profile'),
          say('takenAt'),
          say('photographer'),
        ),
      };
    case 'timeline':
      return {
        title: word('title'),
        language: ownLanguage,
        about: join(say('date'), t(`star:type_${say('type')}` as 'star:type_debut')),
      };
    case 'achievements':
      return {
        title: join(word('awardName'), word('achievement')),
        language: ownLanguage,
        about: join(say('awardDate'), t(`star:${say('result')}` as 'star:won')),
      };
    case 'socialLinks': {
      const { name, isOwnSite } = socialPlatformEntry(say('platform') as SocialPlatform);
      const followers = valueAt(item, 'followerCount');
      return {
        title: say('displayName'),
        language: undefined,
        about: join(
          isOwnSite ? t('admin:ownSite') : name,
          typeof followers === 'number'
            ? `${wholeNumber(lang, followers)} ${t('star:followers', { count: followers })}`
            : '',
        ),
      };
    }
  }
}

const referenceKinds = [
  'articles',
  'stories',
  'events',
  'followers',
  'channelMembers',
  'messages',
  'members',
  'groups',
  'subUnits',
  'mergedStars',
] as const;

/** What refers to a star, with how many of each kind: “Articles (3) and Followers (12)”. */
export function referenceList(t: T, lang: Lang, references: Readonly<Record<string, number>>): string {
  const parts = referenceKinds.flatMap((kind) => {
    const count = references[kind];
    return count ? [t(`admin:refers_${kind}`, { count: wholeNumber(lang, count) })] : [];
  });
  return languageList(lang, parts);
}
