/** A setting that cannot be used; its message names the setting and what would be right. */
export class ConfigError extends Error {
  readonly code = 'config';
  constructor(
    readonly setting: string,
    reason: string,
  ) {
    super(`${setting} ${reason}`);
  }
}
