/** What most visits never need, in one file that comes when it may be needed: see where `shell.ts` loads it. */
import './idle.ts';
import './in-app.ts';
import './star-filter-ahead.ts';
import './tooltips.ts';
