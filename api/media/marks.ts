import { onPrimary } from '#db/shared-read.ts';
import { readMark } from './media.ts';

/** By slug, as many as there are stars: some 600 bytes each. */
const drawings = new Map<string, string | Promise<string>>();
const maxDrawings = 5_000;

/**
 * A star's round sign for HTML (look §6 mark): what stands inside its `<svg viewBox="0 0 100 100">`; empty for unknown stars.
 * Pages carry their signs themselves: as pictures, two dozen of them cost a slow phone a third of its work for the front page.
 * At once where it was asked for before, because what a page waits for it holds back.
 */
export function markForPage(slug: string): string | Promise<string> {
  const cached = drawings.get(slug);
  if (cached !== undefined) return cached;
  // It is kept beyond the page that asks, so it may lack nothing: no replica is asked (decision D12).
  const loading = onPrimary(() => readMark(slug)).then(
    (bytes) => {
      const drawing = new TextDecoder().decode(bytes).replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');
      if (drawings.get(slug) === loading) {
        if (drawing) drawings.set(slug, drawing);
        else drawings.delete(slug);
      }
      return drawing;
    },
    (error: unknown) => {
      if (drawings.get(slug) === loading) drawings.delete(slug);
      throw error;
    },
  );
  if (drawings.size >= maxDrawings) drawings.clear();
  drawings.set(slug, loading);
  return loading;
}

/** A star may have another name, colour or style now. */
export function forgetMarks(): void {
  drawings.clear();
}
