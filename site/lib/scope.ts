import { starRoles } from '#api/stars/colour.ts';

type Role = keyof ReturnType<typeof starRoles>['light'];

const names: Record<Role, string> = {
  fill: 'fill',
  on: 'on',
  soft: 'soft',
  softLine: 'soft-line',
  text: 'text',
  mark: 'mark',
  deep: 'deep',
};
const everyRole = Object.keys(names) as Role[];
const made = new Map<string, string>();

/**
 * The `style` of an element with class `scope`: a star's colour roles in both modes (look §2.6). Lists ask only for the
 * roles they use, because every badge of a feed carries them.
 */
export function scopeStyle(fandomColor: string, roles: readonly Role[] = everyRole): string {
  const key = `${fandomColor}|${roles.join()}`;
  const known = made.get(key);
  if (known) return known;
  const { light, dark } = starRoles(fandomColor);
  const style = roles
    .map((role) => `--${names[role]}-l:${light[role]};--${names[role]}-d:${dark[role]}`)
    .join(';');
  if (made.size > 5000) made.clear();
  made.set(key, style);
  return style;
}
