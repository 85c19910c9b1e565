import { hostsOf } from './hosts.ts';

/** What an operator may have to mend where a database is not as it should be. */
export type AddressSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** PgBouncer refuses everything by it, and closes. PostgreSQL says so of a message that breaks the protocol: a fault of ours. */
const poolerCode = '08P01';

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '28P01',
  '28000',
  '3D000',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'database_lost',
  'database_not_open',
]);

/** The certificate is nobody's whom this machine trusts. */
const untrustedCodes = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];
const outdatedCodes = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];
const otherHostCode = 'ERR_TLS_CERT_ALTNAME_INVALID';
const certificateCodes = new Set([...untrustedCodes, ...outdatedCodes, otherHostCode]);

/** True for errors that mean "no database", as opposed to a fault of ours. */
export function isUnreachable(error: unknown): boolean {
  return (
    poolerRefusal(error) !== undefined ||
    hasCode(
      error,
      (code) =>
        unreachableCodes.has(code) ||
        certificateCodes.has(code) ||
        code.startsWith('ERR_POSTGRES_CONNECTION'),
    )
  );
}

const lockTimeoutCode = '55P03';
const deadlockCode = '40P01';

/**
 * `lock_timeout`, `statement_timeout`, `idle_in_transaction_session_timeout`, a server that takes no writes (any more), or has no room
 * on its disk or in its memory, and the one of two transactions that gave way to the other.
 */
const passingCodes = new Set([
  lockTimeoutCode,
  '57014',
  '25P03',
  '25006',
  '53100',
  '53200',
  '40001',
  deadlockCode,
]);

/**
 * True for errors that mean "not now": the same may work in a moment, such as when a pooler has no connection to give. Unlike a lost
 * database they are told by nobody else.
 */
export function isPassing(error: unknown): boolean {
  return poolerRefusal(error) !== undefined || hasCode(error, (code) => passingCodes.has(code));
}

/** True when somebody else kept what a statement would have locked. */
export function isLockedByOthers(error: unknown): boolean {
  return hasCode(error, (code) => code === lockTimeoutCode);
}

/** True for the one of two transactions that gave way to the other. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, (code) => code === deadlockCode);
}

/** What the server says of a parameter of the address that it does not know, or whose value it does not take. */
export const parameterRefusal = (error: unknown): string | undefined =>
  refusalOfConnection(error, ['42704', '22023', '55P02']);

/** What PgBouncer says as it refuses. */
export const poolerRefusal = (error: unknown): string | undefined => refusalOfConnection(error, [poolerCode]);

/** What is said as a connection is ended, unlike what is said of a statement. */
function refusalOfConnection(error: unknown, codes: readonly string[]): string | undefined {
  const refusal = causeWith(error, (code) => codes.includes(code));
  return refusal && severityOf(refusal) === 'FATAL' ? refusal.message : undefined;
}

function severityOf(error: Error): unknown {
  if ('severity' in error) return error.severity;
  // So postgres.js calls the one that may be in any language, and PgBouncer sends no other.
  return 'severity_local' in error ? error.severity_local : undefined;
}

/** True when PostgreSQL refused a statement for want of a right. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, (code) => code === '42501');
}

/** What is wrong, as far as the server or the network says it, and where it is set. */
export function whyUnreachable(
  error: unknown,
  url: string,
  setting: AddressSetting = 'DATABASE_URL',
): string {
  const at = withoutPassword(url);
  const saidBy = (...codes: string[]) => causeWith(error, (code) => codes.includes(code))?.message.trim();
  const isOneOf = (...codes: string[]) => saidBy(...codes) !== undefined;
  if (isOneOf('28P01')) return `The database at ${at} refuses the user or the password: check ${setting}.`;
  const refusal = saidBy('28000');
  if (refusal !== undefined)
    return `The database at ${at} refuses the connection, and says "${refusal}": ${
      refusal.endsWith('no encryption') ? `it may want TLS; add sslmode=verify-full to` : 'check'
    } ${setting}.`;
  const distrust = saidBy(...untrustedCodes);
  if (distrust !== undefined)
    return `The certificate of ${at} is not trusted (${distrust}): with sslmode=verify-full in ${setting}, set NODE_EXTRA_CA_CERTS=/path/ca.crt to the file of the CA that signed it.`;
  if (isOneOf(otherHostCode))
    return `The certificate of ${at} is for another host: ${setting} must name the server as its certificate does.`;
  if (isOneOf(...outdatedCodes))
    return `The certificate of ${at} has expired, or is of a time to come: renew it there, and compare the clocks.`;
  if (isOneOf('3D000') && namesNoDatabase(url))
    return `${setting} names no database of the server ${at.replace(/\/$/, '')}: write its name behind the last slash.`;
  if (isOneOf('3D000'))
    return `The server of ${at} has no database of that name: create it, or check ${setting}.`;
  if (isOneOf('53300'))
    return `The database at ${at} has no connection left: others take all that it allows.`;
  const refusalOfPooler = poolerRefusal(error);
  if (refusalOfPooler !== undefined)
    return `The pooler at ${at} refuses, and says "${refusalOfPooler}": check ${setting}.`;
  if (isOneOf('57P03')) return `The database at ${at} is just starting or stopping: start again in a moment.`;
  return `The database at ${at} cannot be reached: check ${setting}.`;
}

/** Such an address means the database that is called like its user. */
const namesNoDatabase = (url: string) =>
  hostsOf(url).every((host) => ['', '/'].includes(new URL(host).pathname));

export const hasCode = (error: unknown, matches: (code: string) => boolean): boolean =>
  causeWith(error, matches) !== undefined;

/** The error itself, or which of those behind it has such a code. */
function causeWith(error: unknown, matches: (code: string) => boolean): Error | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && matches(String(cause.code))) return cause;
    // Bun's client calls what the server said so.
    if ('errno' in cause && matches(String(cause.errno))) return cause;
  }
  return undefined;
}

/** Host, port and name of a database, as they may be shown; of several hosts the first. */
export function withoutPassword(url: string): string {
  try {
    const address = new URL(hostsOf(url)[0] ?? url);
    return `${address.hostname}:${address.port || 5432}${address.pathname}`;
  } catch {
    return 'DATABASE_URL';
  }
}
