import type { VerificationItem } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { placeOf } from '../../lib/events/place.ts';
import { Icon } from '../Icon.tsx';
import { timeOf } from './facts.ts';
import type { VerificationAreaWords } from './words.ts';

/** Says of which known event this is an update, and what would change: as it is now → what it becomes. */
export function KnownEvent({
  lang,
  words,
  item,
}: {
  lang: Lang;
  words: VerificationAreaWords;
  item: VerificationItem;
}) {
  const knownEvent = item.updateOf;
  if (!knownEvent) return null;
  const isPublic = knownEvent.verification === 'approved';
  const changes = [
    [words.fieldTime, timeOf(lang, words, knownEvent), timeOf(lang, words, item)],
    ...(placeOf(item) ? [[words.fieldVenue, placeOf(knownEvent) || words.noVenue, placeOf(item)]] : []),
  ].filter(([, currentValue, newValue]) => currentValue !== newValue);
  return (
    <div className="verify-known">
      <Icon name="refresh" size={16} />
      <div>
        <p>
          {words.updateOf}{' '}
          <a
            href={
              isPublic ? `/${lang}/events/${knownEvent.id}` : `/admin/events/${knownEvent.id}?lang=${lang}`
            }
            lang={knownEvent.language === lang ? undefined : knownEvent.language}
          >
            {knownEvent.title}
          </a>
        </p>
        <dl>
          {changes.map(([name, currentValue, newValue]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd suppressHydrationWarning>
                <span className="visually-hidden">{words.was}: </span>
                {currentValue} <span aria-hidden="true">→</span>{' '}
                <span className="visually-hidden">{words.becomes}: </span>
                <strong>{newValue}</strong>
              </dd>
            </div>
          ))}
        </dl>
        {isPublic && <p>{words.updateHow}</p>}
      </div>
    </div>
  );
}
