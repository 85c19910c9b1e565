import { treaty } from '@elysiajs/eden';
import { api } from '#api/app.ts';

/**
 * The API as its own client sees it, typed from end to end, without a socket. Eden would turn text that looks like a
 * date into a `Date`, which the contract does not say.
 */
export const client = treaty(api, { parseDate: false });
