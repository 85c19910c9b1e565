import type { VerificationItem } from '#api/admin/model.ts';
import type { Lang } from '#content/locales.ts';
import { dateAndTime, fullDay } from '../../i18n/format.ts';
import { sourceLanguage } from '../../i18n/source-language.ts';
import { placeOf } from '../../lib/events/place.ts';
import { Icon } from '../Icon.tsx';
import { Evidence } from './Evidence.tsx';
import { clockOf, timeOf, zoneOf } from './facts.ts';
import { KnownEvent } from './KnownEvent.tsx';
import { fill, type TypeWords, type VerificationWords } from './words.ts';

/** §9 Confidence colours, each with its word. */
function levelOf(confidence: number | null): 'high' | 'medium' | 'low' | 'unknown' {
  if (confidence === null) return 'unknown';
  return confidence >= 90 ? 'high' : confidence >= 75 ? 'medium' : 'low';
}

interface Props {
  lang: Lang;
  words: VerificationWords;
  types: TypeWords;
  item: VerificationItem;
  /** Form that the buttons belong to before the script is there. */
  form: string;
  open: boolean;
  isSelected: boolean;
  onSelect: () => void;
  onDecide: (verification: 'approved' | 'rejected') => void;
  onUndo: () => void;
}

/** One event: what was read, how sure that is, where it stands, and the decision. */
export function Row({ lang, words, types, item, form, open, isSelected, onSelect, onDecide, onUndo }: Props) {
  const place = placeOf(item);
  const itemLang = item.language === lang ? undefined : item.language;
  const type = types[`type_${item.eventType}`];
  const isPending = item.verification === 'pending';
  const facts: [string, string][] = [
    [words.fieldTime, timeOf(lang, words, item)],
    [words.fieldVenue, place || words.noVenue],
    [words.fieldType, type],
    [words.fieldStars, item.primaryStar?.name ?? words.noStar],
  ];
  return (
    <li className="verify-row" data-selected={isSelected || undefined}>
      {isPending && (
        <label className="verify-check">
          <input
            type="checkbox"
            name="eventIds"
            value={item.id}
            form={form}
            checked={isSelected}
            onChange={onSelect}
          />
          <span className="visually-hidden">{fill(words.select, { title: item.title })}</span>
        </label>
      )}
      <div className="verify-event">
        <p className="verify-type">
          <Icon name={item.eventType} size={16} />
          {type}
        </p>
        <h2 lang={itemLang}>{item.title}</h2>
        {item.description && <p lang={itemLang}>{item.description}</p>}
      </div>
      <div className="verify-time">
        <p>
          <time dateTime={item.startTime} suppressHydrationWarning>
            {fullDay(lang, new Date(item.startTime), item.zone)}{' '}
            <span className="verify-clock">{clockOf(lang, words, item)}</span>
            {zoneOf(lang, item.zone)}
          </time>
        </p>
        <p lang={place ? itemLang : undefined}>{place || words.noVenue}</p>
      </div>
      <Star words={words} star={item.primaryStar} />
      <Confidence words={words} value={item.extractionConfidence} />
      <Source words={words} source={item.sourceArticle} />
      <div className="verify-actions">
        {isPending ? (
          <>
            <button
              type="submit"
              form={form}
              name="approve"
              value={item.id}
              className="button button-primary"
              onClick={withoutSubmit(() => onDecide('approved'))}
            >
              <Icon name="check" />
              {words.approve}
              <span className="visually-hidden">: {item.title}</span>
            </button>
            <button
              type="submit"
              form={form}
              name="reject"
              value={item.id}
              className="button button-line"
              onClick={withoutSubmit(() => onDecide('rejected'))}
            >
              {words.reject}
              <span className="visually-hidden">: {item.title}</span>
            </button>
          </>
        ) : (
          <button
            type="submit"
            form={form}
            name="undo"
            value={[item.id, item.decision].join(' ').trim()}
            className="button button-line"
            onClick={withoutSubmit(onUndo)}
          >
            {words.undo}
            <span className="visually-hidden">: {item.title}</span>
          </button>
        )}
        {item.verification !== 'rejected' && (
          <a className="verify-edit" href={`/admin/events/${item.id}?lang=${lang}`}>
            {words.edit}
            <span className="visually-hidden">: {item.title}</span>
          </a>
        )}
      </div>
      {item.decidedAt && (
        <p className="verify-decided" suppressHydrationWarning>
          {fill(words.decided, {
            name: item.decidedBy ?? words.somebody,
            date: dateAndTime(lang, new Date(item.decidedAt)),
          })}
          {item.decisionNotes && <q>{item.decisionNotes}</q>}
        </p>
      )}
      {item.mergedInto && (
        <p className="verify-decided">
          {words.mergedInto} <a href={`/${lang}/events/${item.mergedInto.id}`}>{item.mergedInto.title}</a>
        </p>
      )}
      <KnownEvent lang={lang} words={words} item={item} />
      <details className="verify-more" open={open}>
        <summary>
          <Icon name="chevronDown" size={16} />
          {words.evidence}
          <span className="visually-hidden">: {item.title}</span>
        </summary>
        <Evidence item={item} words={words} facts={facts} />
      </details>
      {item.similar.length > 0 && (
        <p className="verify-similar">
          <Icon name="circleAlert" size={16} />
          <span>
            {words.similar}{' '}
            {item.similar.map((similarItem, index) => (
              <span key={similarItem.id} suppressHydrationWarning>
                {index > 0 && ' · '}
                <strong>{similarItem.title}</strong> ({fullDay(lang, new Date(similarItem.startTime))})
              </span>
            ))}
          </span>
        </p>
      )}
    </li>
  );
}

/** With the script a button does at once what its form would do by a new page. */
const withoutSubmit = (action: () => void) => (event: { preventDefault: () => void }) => {
  event.preventDefault();
  action();
};

function Star({ words, star }: { words: VerificationWords; star: VerificationItem['primaryStar'] }) {
  if (!star) return <p className="verify-star">{words.noStar}</p>;
  const style = { '--text-l': star.textColor.light, '--text-d': star.textColor.dark } as Record<
    string,
    string
  >;
  return (
    <p className="verify-star scope" style={style}>
      <img className="star-mark" src={star.imageUrl} width={20} height={20} alt="" loading="lazy" />
      <span>{star.name}</span>
    </p>
  );
}

function Confidence({ words, value }: { words: VerificationWords; value: number | null }) {
  const level = levelOf(value);
  return (
    <div className={`confidence confidence-${level}`}>
      <p>
        <span className="visually-hidden">{words.columnConfidence}: </span>
        {value !== null && <strong className="tabular">{value}%</strong>} {words[level]}
      </p>
      {value !== null && (
        <span className="confidence-bar" aria-hidden="true">
          <span style={{ width: `${value}%` }} />
        </span>
      )}
    </div>
  );
}

function Source({ words, source }: { words: VerificationWords; source: VerificationItem['sourceArticle'] }) {
  if (!source) return <p className="verify-source">{words.noSource}</p>;
  return (
    <p className="verify-source">
      <a
        href={source.originalUrl}
        target="_blank"
        rel="noopener noreferrer nofollow"
        lang={sourceLanguage(source.outlet)}
      >
        {source.outlet}
      </a>
      <span className="verify-headline" lang={sourceLanguage(source.title)}>
        {source.title}
      </span>
    </p>
  );
}
