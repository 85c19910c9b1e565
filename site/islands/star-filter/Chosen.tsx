import type { StarListItem } from '#api/stars/model.ts';
import type { StarFilterWords } from './words.ts';

interface Props {
  words: StarFilterWords;
  chosen: readonly number[];
  known: ReadonlyMap<number, StarListItem>;
  onClear: () => void;
}

/** Who is chosen: two names, then "+N more" (§9 filter chips), the count, and the way to none. */
export function Chosen({ words, chosen, known, onClear }: Props) {
  const stars = chosen.map((id) => known.get(id)).filter((star) => star !== undefined);
  const shown = stars.slice(0, 2);
  const rest = chosen.length - shown.length;
  return (
    <p className="sheet-chosen" role="status">
      {shown.map((star) => (
        <span key={star.id} className="sheet-chosen-star">
          <img className="sheet-face" src={star.imageUrl} width={28} height={28} alt="" />
          {star.name}
        </span>
      ))}
      {rest > 0 && shown.length > 0 && <span>{words.moreChosen.replace('{{count}}', String(rest))}</span>}
      <span className="tabular">{words.count.replace('{{count}}', String(chosen.length))}</span>
      {chosen.length > 0 && (
        <button type="button" className="sheet-clear" onClick={onClear}>
          {words.clearAll}
        </button>
      )}
    </p>
  );
}
