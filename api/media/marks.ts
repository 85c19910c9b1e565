import { readMark } from './media.ts';

/** By slug, as many as there are stars: some 600 bytes each. */
const known = new Map<string, string | Promise<string>>();
const most = 5_000;

/**
 * A star's round sign for HTML (look §6 mark): what stands inside its `<svg viewBox="0 0 100 100">`; empty for unknown stars.
 * Pages carry their signs themselves: as pictures, two dozen of them cost a slow phone a third of its work for the front page.
 * At once where it was asked for before, because what a page waits for it holds back.
 */
export function markForPage(slug: string): string | Promise<string> {
  const before = known.get(slug);
  if (before !== undefined) return before;
  const asked = readMark(slug).then(
    (bytes) => {
      const drawing = new TextDecoder().decode(bytes).replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');
      if (known.get(slug) === asked) {
        if (drawing) known.set(slug, drawing);
        else known.delete(slug);
      }
      return drawing;
    },
    (error: unknown) => {
      if (known.get(slug) === asked) known.delete(slug);
      throw error;
    },
  );
  if (known.size >= most) known.clear();
  known.set(slug, asked);
  return asked;
}

/** A star may have another name, colour or style now. */
export function forgetMarks(): void {
  known.clear();
}
