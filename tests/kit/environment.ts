/** What a program needs of this machine to run at all; the settings of the site that happen to be set here are not. */
const needed = ['PATH', 'HOME', 'USER', 'TMPDIR', 'TEMP', 'LANG', 'SystemRoot'];

/** The environment of a child that knows only these settings of the site. */
export function environment(settings: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of needed) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return { ...kept, ...settings };
}
