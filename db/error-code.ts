/** By what code the system, a store or a library calls an error; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === undefined ? undefined : String(code);
}
