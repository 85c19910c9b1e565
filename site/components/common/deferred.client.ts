/** What most visits never need, in one file that comes when it may be needed: see where `shell.client.ts` loads it. */
import './idle.client.ts';
import './in-app.client.ts';
import './preload-star-filter.client.ts';
import './print-sheet.client.ts';
import './tooltips.client.ts';
