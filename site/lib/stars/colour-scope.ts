import { type Roles, starRole } from '#api/stars/colour.ts';

type Role = keyof Roles;

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
export const maxCachedColours = 4_000;
const known = new Map<string, Partial<Record<Role, string>>>();

/** The roles of a colour that were asked for, each as its two declarations. What makes one takes a hundred times longer than joining them. */
function declarations(fandomColor: string): Partial<Record<Role, string>> {
  const before = known.get(fandomColor);
  if (before) return before;
  const [oldest] = known.size >= maxCachedColours ? known.keys() : [];
  if (oldest) known.delete(oldest);
  const made = {};
  known.set(fandomColor, made);
  return made;
}

function declared(fandomColor: string, role: Role): string {
  const { light, dark } = starRole(fandomColor, role);
  return `--${names[role]}-l:${light};--${names[role]}-d:${dark}`;
}

/**
 * The `style` of an element with class `scope`: a star's colour roles in both modes (look §2.6). Lists ask only for the
 * roles they use, because every badge of a feed carries them.
 */
export function scopeStyle(fandomColor: string, roles: readonly Role[] = everyRole): string {
  const made = declarations(fandomColor);
  let style = '';
  for (const role of roles) {
    const declaration = made[role] ?? declared(fandomColor, role);
    made[role] = declaration;
    style += style === '' ? declaration : `;${declaration}`;
  }
  return style;
}

/** Milliseconds of work, then of rest: who asks for a page meanwhile waits for no more than that. */
const slice = { work: 4, rest: 12 };

/**
 * Makes the roles of colours before anybody asks for them: the first pages after a start would each make those of dozens of
 * stars, which is a third of rendering a full month.
 */
export async function warmColourScopes(colours: readonly string[]): Promise<void> {
  let since = performance.now();
  for (const colour of colours) {
    scopeStyle(colour);
    if (performance.now() - since < slice.work) continue;
    await Bun.sleep(slice.rest);
    since = performance.now();
  }
}
