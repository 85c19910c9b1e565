import type { VerificationItem } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { Icon } from '../Icon.tsx';
import { placeOf, timeOf } from './facts.ts';
import type { OwnWords } from './words.ts';

/** Says of which known event this is an update, and what would change: as it is now → what it becomes. */
export function KnownEvent({ lang, words, item }: { lang: Lang; words: OwnWords; item: VerificationItem }) {
  const known = item.updateOf;
  if (!known) return null;
  const isPublic = known.verification === 'approved';
  const changes = [
    [words.fieldTime, timeOf(lang, words, known), timeOf(lang, words, item)],
    ...(placeOf(item) ? [[words.fieldVenue, placeOf(known) || words.noVenue, placeOf(item)]] : []),
  ].filter(([, now, then]) => now !== then);
  return (
    <div className="verify-known">
      <Icon name="refresh" size={16} />
      <div>
        <p>
          {words.updateOf}{' '}
          <a
            href={isPublic ? `/${lang}/events/${known.id}` : `/admin/events/${known.id}?lang=${lang}`}
            lang={known.language === lang ? undefined : known.language}
          >
            {known.title}
          </a>
        </p>
        <dl>
          {changes.map(([name, now, then]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd suppressHydrationWarning>
                <span className="visually-hidden">{words.was}: </span>
                {now} <span aria-hidden="true">→</span>{' '}
                <span className="visually-hidden">{words.becomes}: </span>
                <strong>{then}</strong>
              </dd>
            </div>
          ))}
        </dl>
        {isPublic && <p>{words.updateHow}</p>}
      </div>
    </div>
  );
}
