import { drawnColoursOf } from '#content/art/drawn-colours.ts';
import { initials } from '#content/art/sign.ts';
import type { Transaction } from '#db/client.ts';
import type { StoredDocument } from '#db/queries/directory/document.ts';
import type { StarLook, StarSearchWords } from '#db/queries/directory/write.ts';
import { findMarksAlike, findPopularMarks } from '#db/queries/media.ts';
import { chooseMark } from '../media/mark-similarity.ts';

/** Each is rendered, in about two milliseconds, while the editor waits. */
const popularCompared = 100;
/** Of a name with a thousand others of its initials, the first who come. */
const alikeCompared = 60;
/** A few that are far from each other are as good as all of them, and are compared in a fraction of the time. */
const coloursTried = 5;

/**
 * The accent and the sign of a star, so that it is told from others of its name, and of its initial consonants, where both are
 * smallest. Its fan colour is its accent; where nobody told one, a colour is drawn for it: the one that it has, as long as nobody looks like it.
 * @param id of a star that is there
 * @param drawn the colour that was drawn for it before
 * @param isThorough compares it with the stars that are read about most, too, which a thousand imported ones would wait for
 */
export async function chooseLook(
  tx: Transaction,
  { words, fandomColor }: Pick<StoredDocument, 'words' | 'fandomColor'>,
  { name }: Pick<StarSearchWords, 'name'>,
  {
    id = 0,
    slug,
    drawn,
    isThorough,
  }: { id?: number | undefined; slug: string; drawn?: string | undefined; isThorough: boolean },
): Promise<StarLook> {
  const isColorDrawn = fandomColor === undefined;
  const subjectIn = (colour: string) => ({ name, fandomColor: colour });
  const names = Object.values(words).map((own) => own.name);
  const sign = initials(name).join('');
  const alike = await findMarksAlike({ names, sign }, id, alikeCompared, tx);
  const namesakes = alike.filter(({ isNamesake }) => isNamesake);
  const taken = new Set(namesakes.map((star) => star.fandomColor.toUpperCase()));
  const own = drawnColoursOf(slug);
  const free = own.filter((colour) => !taken.has(colour));
  const tried = [...(drawn ? [drawn] : []), ...(free.length > 0 ? free : own).slice(0, coloursTried)];
  const [first = '', ...others] = isColorDrawn ? tried : [fandomColor];
  const mark = await chooseMark(
    [subjectIn(first), ...others.map(subjectIn)],
    [
      ...alike.filter(({ isNamesake }) => !isNamesake),
      ...(isThorough ? await findPopularMarks(popularCompared, id, tx) : []),
    ],
    namesakes,
  );
  return { accent: mark.fandomColor, isColorDrawn, markStyle: mark.style };
}
