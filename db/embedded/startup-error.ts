/** A start-up failure that one sentence explains to the operator. Printed without a stack. */
export class StartupError extends Error {
  readonly code = 'startup';
}
