import { Forbidden } from '../errors.ts';
import { isFromOwnOrigin } from './session.ts';

/**
 * A `beforeHandle` for login, register and logout (quality §Safe 10): a page of another site must not log anybody in or out. Programs
 * that are no browsers send no Origin and are let through.
 * @throws Forbidden
 */
export function refuseForeignOrigin({ request }: { request: Request }): void {
  const fromElsewhere = request.headers.has('origin')
    ? !isFromOwnOrigin(request)
    : request.headers.get('sec-fetch-site') === 'cross-site';
  if (fromElsewhere) throw new Forbidden('foreign_origin', 'This call must come from our own pages.');
}
