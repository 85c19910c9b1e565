import { allInitials, LONGEST_SIGN } from '#content/art/sign.ts';
import { divider, withPlainNames } from '#content/plain-name.ts';
import { listSearchTexts, writeSearchText } from '#db/queries/directory/search-text.ts';
import { defineJob } from '../jobs/jobs.ts';

const atOnce = 1_000;

/**
 * Has stars found by their names without signs, and by more initials than their sign has, that were written by a release that did not know
 * these, or come from a backup of one. Star by star, in statements of their own: whoever writes one of them waits for nobody.
 */
export const searchTextJob = defineJob<object>({
  name: 'star-search-text',
  atStart: {},
  timeout: 900,
  async handle(_, { signal }) {
    for (let after = 0; !signal.aborted; ) {
      const rows = await listSearchTexts({ divider, initials: LONGEST_SIGN }, { after, limit: atOnce });
      const last = rows.at(-1);
      if (!last) return;
      for (const row of rows) {
        const initials = withAllInitials(row);
        const terms = row.searchText.split(' ').map((term) => (term === row.initials ? initials : term));
        const searchText = withPlainNames(terms.join(' '));
        if (searchText !== row.searchText && !signal.aborted)
          await writeSearchText(row, { initials, searchText });
      }
      after = last.id;
    }
  },
});

function withAllInitials({ name, initials }: { name: string; initials: string }): string {
  const all = allInitials(name).join('');
  return initials.length === LONGEST_SIGN && all.startsWith(initials) ? all : initials;
}
