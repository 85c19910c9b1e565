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
/** More stars than one site has; a kilobyte each. */
const mostRemembered = 4_000;
const known = new Map<string, Record<Role, string>>();

/** Every role of a colour as its two declarations. What makes them takes a hundred times longer than joining them. */
function declarations(fandomColor: string): Record<Role, string> {
  const before = known.get(fandomColor);
  if (before) return before;
  const { light, dark } = starRoles(fandomColor);
  const of = (role: Role) => `--${names[role]}-l:${light[role]};--${names[role]}-d:${dark[role]}`;
  const made = {
    fill: of('fill'),
    on: of('on'),
    soft: of('soft'),
    softLine: of('softLine'),
    text: of('text'),
    mark: of('mark'),
    deep: of('deep'),
  };
  const [oldest] = known.size >= mostRemembered ? known.keys() : [];
  if (oldest) known.delete(oldest);
  known.set(fandomColor, made);
  return made;
}

/**
 * The `style` of an element with class `scope`: a star's colour roles in both modes (look §2.6). Lists ask only for the
 * roles they use, because every badge of a feed carries them.
 */
export function scopeStyle(fandomColor: string, roles: readonly Role[] = everyRole): string {
  const made = declarations(fandomColor);
  return roles.map((role) => made[role]).join(';');
}
