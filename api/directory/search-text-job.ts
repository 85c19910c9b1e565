import { divider, withPlainNames } from '#content/plain-name.ts';
import { listSearchTexts, writeSearchText } from '#db/queries/directory/search-text.ts';
import { defineJob } from '../jobs/jobs.ts';

const atOnce = 1_000;

/**
 * Has stars found by their names without signs that were written by a release that did not know these, or come from a backup of one. Star by star, in
 * statements of their own: whoever writes one of them waits for nobody.
 */
export const searchTextJob = defineJob<object>({
  name: 'star-search-text',
  atStart: {},
  timeout: 900,
  async handle(_, { signal }) {
    for (let after = 0; !signal.aborted; ) {
      const rows = await listSearchTexts(divider, { after, limit: atOnce });
      const last = rows.at(-1);
      if (!last) return;
      for (const { id, searchText } of rows) {
        const text = withPlainNames(searchText);
        if (text !== searchText && !signal.aborted) await writeSearchText(id, searchText, text);
      }
      after = last.id;
    }
  },
});
