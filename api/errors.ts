interface ErrorDetails {
  /** The most that the field takes: in characters, entries of a list, or as a number. */
  readonly most?: number;
  /** The least that a number may be. */
  readonly least?: number;
  /** Of the thing that is there already. */
  readonly id?: number;
  /** What stands now. */
  readonly current?: unknown;
  /** What in a file it is about, as the file calls it: a column, a row. */
  readonly about?: string;
  /** All that is wrong, where that is more than what the error itself says. */
  readonly faults?: readonly Fault[];
}

/** One of several things that are wrong with a request. */
interface Fault extends Pick<ErrorDetails, 'most' | 'least'> {
  readonly error: string;
  readonly code: string;
  readonly field: string;
}

/** Errors are named by who must act; the API's error plugin turns them into `{ error, code, field?, … }` (decision S8). */
export abstract class ApiError extends Error {
  abstract readonly status: number;
  constructor(
    readonly code: string,
    message: string,
    readonly field?: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly more: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** The caller sent something that cannot be right; `field` says what. */
export class BadInput extends ApiError {
  readonly status = 400;
  constructor(field: string, message: string, code = 'invalid', most?: number, least?: number) {
    super(
      code,
      message,
      field,
      {},
      {
        ...(most === undefined ? {} : { most }),
        ...(least === undefined ? {} : { least }),
      },
    );
  }
}

/** Several fields are wrong: the error is the first, and `faults` are all, so that nobody mends one to be told the next. */
export class SeveralFaults extends ApiError {
  readonly status = 400;
  constructor(readonly all: readonly [BadInput, ...BadInput[]]) {
    const [{ code, message, field, more }] = all;
    const faults = all.map((each) => ({
      error: each.message,
      code: each.code,
      field: each.field ?? '',
      ...each.more,
    }));
    super(code, message, field, {}, { ...more, faults });
  }
}

/** What is wrong with an input that was refused. @throws what is no refusal of an input */
export function faultsIn(error: unknown): readonly BadInput[] {
  if (error instanceof SeveralFaults) return error.all;
  if (error instanceof BadInput) return [error];
  throw error;
}

/** Refuses what has these faults, all at once. @throws BadInput for one, SeveralFaults for more */
export function refuseFaults([first, ...rest]: readonly BadInput[]): void {
  if (first) throw rest.length === 0 ? first : new SeveralFaults([first, ...rest]);
}

/**
 * Reads every part of a thing, also when one before it is wrong.
 * @throws BadInput, SeveralFaults with the faults of all
 */
export function readAll<Parts extends Record<string, () => unknown>>(
  parts: Parts,
): { [Name in keyof Parts]: ReturnType<Parts[Name]> } {
  const faults: BadInput[] = [];
  const read = Object.entries(parts).map(([name, readPart]) => {
    try {
      return [name, readPart()] as const;
    } catch (error) {
      faults.push(...faultsIn(error));
      return [name, undefined] as const;
    }
  });
  refuseFaults(faults);
  return Object.fromEntries(read) as { [Name in keyof Parts]: ReturnType<Parts[Name]> };
}

/** The caller must log in. */
export class NotAuthenticated extends ApiError {
  readonly status = 401;
  constructor() {
    super('unauthenticated', 'Log in first.', undefined, { 'www-authenticate': 'Bearer' });
  }
}

/** The caller is known and may not. */
export class Forbidden extends ApiError {
  readonly status = 403;
  constructor(code = 'forbidden', message = 'You may not do this.') {
    super(code, message);
  }
}

/** There is no such thing (any more). */
export class NotFound extends ApiError {
  readonly status = 404;
  constructor(what: string) {
    super('not_found', `${what} not found.`);
  }
}

/** The thing is already in another state (decision E8). */
export class Conflict extends ApiError {
  readonly status = 409;
  constructor(code: string, message: string, field?: string, more: ErrorDetails = {}) {
    super(code, message, field, {}, more);
  }
}

/** It is not the version any more that the caller had read: writing now would erase what somebody else wrote since. */
export class ChangedSince extends Conflict {
  constructor(current?: unknown) {
    super('changed', 'Somebody has changed this since.', undefined, current === undefined ? {} : { current });
  }
}

/** The thing is part of another one by now: its old address leads there for ever. */
export class Moved extends ApiError {
  readonly status = 301;
  constructor(
    readonly from: number,
    readonly into: number,
  ) {
    super('moved', 'It has another number now.', undefined, {}, { id: into });
  }
}

/** Too often; `seconds` until it may be tried again (decision S7). */
export class TooManyRequests extends ApiError {
  readonly status = 429;
  constructor(seconds: number) {
    super('rate_limited', 'Too many requests. Try again later.', undefined, {
      'retry-after': String(seconds),
    });
  }
}

/** The operator must act: a service that we need is away. */
export class Unavailable extends ApiError {
  readonly status = 503;
  /** @param seconds until it may be tried again */
  constructor(
    message = 'The service is temporarily unavailable.',
    code = 'unavailable',
    seconds = 5,
    field?: string,
  ) {
    super(code, message, field, { 'retry-after': String(seconds) });
  }
}
