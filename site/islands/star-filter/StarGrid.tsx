import type { StarListItem } from '#api/stars/model.ts';
import type { LoadState } from './use-stars.ts';
import type { StarFilterWords } from './words.ts';

interface Props {
  words: StarFilterWords;
  stars: readonly StarListItem[];
  selectedIds: readonly number[];
  state: LoadState;
  onToggle: (id: number) => void;
  onRetry: () => void;
}

const skeletons = [...'abcdefghijkl'];

/** The stars as toggle buttons in a grid; skeletons of the same size while the first page comes. */
export function StarGrid({ words, stars, selectedIds, state, onToggle, onRetry }: Props) {
  if (state === 'failed') {
    return (
      <div className="state" role="alert">
        <h3>{words.error}</h3>
        <button type="button" className="button button-primary" onClick={onRetry}>
          {words.retry}
        </button>
      </div>
    );
  }
  if (state === 'loading' && stars.length === 0) {
    return (
      <div className="star-grid" aria-hidden="true">
        {skeletons.map((key) => (
          <span key={key} className="star-choice">
            <span className="skeleton star-choice-skeleton" />
          </span>
        ))}
      </div>
    );
  }
  if (stars.length === 0) {
    return (
      <div className="state">
        <h3>{words.empty}</h3>
        <p>{words.emptyHint}</p>
      </div>
    );
  }
  return (
    <div className="star-grid">
      {stars.map((star) => (
        <button
          key={star.id}
          type="button"
          className="star-choice"
          aria-pressed={selectedIds.includes(star.id)}
          style={{ ['--own' as string]: star.fandomColor }}
          onClick={() => onToggle(star.id)}
        >
          <img src={star.imageUrl} width={76} height={76} alt="" loading="lazy" />
          <span>{star.name}</span>
          {star.distinction && <small>{star.distinction}</small>}
          {star.articleCount !== undefined && (
            <small>
              {(star.articleCount === 1 ? words.articles_one : words.articles_other).replace(
                '{{count}}',
                String(star.articleCount),
              )}
            </small>
          )}
        </button>
      ))}
    </div>
  );
}
