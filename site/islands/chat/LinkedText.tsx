import { memo, useEffect, useState } from 'react';
import type { Piece } from './links.ts';

/** Anything that may be an address; most messages have none and never load the finder. */
const addressHint = /\w\.\w|:\/\//;
let loading: Promise<typeof import('./links.ts')> | undefined;

/** A message's words with its addresses as links (elements, never markup), found once the finder is there. */
export const LinkedText = memo(function LinkedText({ text }: { text: string }) {
  const [pieces, setPieces] = useState<readonly Piece[]>([text]);
  useEffect(() => {
    if (!addressHint.test(text)) return;
    let isMounted = true;
    loading ??= import('./links.ts');
    loading.then(
      ({ findLinks }) => {
        if (isMounted) setPieces(findLinks(text));
      },
      () => {
        loading = undefined;
      },
    );
    return () => {
      isMounted = false;
    };
  }, [text]);
  let offset = 0;
  return pieces.map((piece) => {
    const key = offset;
    offset += typeof piece === 'string' ? piece.length : piece.text.length;
    if (typeof piece === 'string') return piece;
    return (
      <a key={key} href={piece.href} target="_blank" rel="nofollow noopener noreferrer ugc">
        {piece.text}
      </a>
    );
  });
});
