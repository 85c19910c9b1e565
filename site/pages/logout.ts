import type { APIRoute } from 'astro';
import { callFor, goOn } from '../lib/accounts/forms.ts';
import { paths } from '../lib/routes/paths.ts';

/** Logging out without JavaScript: a form posts here (§2 Header: Logout returns to `/`). */
export const POST: APIRoute = async ({ request }) => {
  const { status, setCookies } = await callFor(request, 'POST', '/api/auth/logout');
  return status === 200 ? goOn('/', setCookies) : goOn(paths.profile());
};

/** Opening the address ends nothing (quality §Safe 10). */
export const GET: APIRoute = () => goOn(paths.profile());
