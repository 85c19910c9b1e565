import type { StarListItem } from '#api/stars/model.ts';
import type { StarFilterWords } from './words.ts';

interface Props {
  words: StarFilterWords;
  selectedIds: readonly number[];
  starsById: ReadonlyMap<number, StarListItem>;
  onClear: () => void;
}

/** Who is chosen: two names, then "+N more" (§9 filter chips), the count, and the way to none. */
export function SelectedStars({ words, selectedIds, starsById, onClear }: Props) {
  const stars = selectedIds.map((id) => starsById.get(id)).filter((star) => star !== undefined);
  const namedStars = stars.slice(0, 2);
  const moreCount = selectedIds.length - namedStars.length;
  return (
    <p className="sheet-chosen" role="status">
      {namedStars.map((star) => (
        <span key={star.id} className="sheet-chosen-star">
          <img className="sheet-face" src={star.imageUrl} width={28} height={28} alt="" />
          {[star.name, star.distinction].filter(Boolean).join(' · ')}
        </span>
      ))}
      {moreCount > 0 && namedStars.length > 0 && (
        <span>{words.moreChosen.replace('{{count}}', String(moreCount))}</span>
      )}
      <span className="tabular">{words.count.replace('{{count}}', String(selectedIds.length))}</span>
      {selectedIds.length > 0 && (
        <button type="button" className="sheet-clear" onClick={onClear}>
          {words.clearAll}
        </button>
      )}
    </p>
  );
}
