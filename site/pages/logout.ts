import type { APIRoute } from 'astro';
import { callApiFor, seeOther } from '../lib/accounts/forms.ts';
import { paths } from '../lib/routes/paths.ts';

/** Logging out without JavaScript: a form posts here (§2 Header: Logout returns to `/`). */
export const POST: APIRoute = async ({ request }) => {
  const { error, headers } = await callApiFor(request, 'post', '/api/auth/logout');
  return error ? seeOther(paths.profile()) : seeOther('/', headers.getSetCookie());
};

/** Opening the address ends nothing (quality §Safe 10). */
export const GET: APIRoute = () => seeOther(paths.profile());
