import { type Roles, starRole } from '#api/stars/colour.ts';

type Role = keyof Roles;

const cssNames: Record<Role, string> = {
  fill: 'fill',
  on: 'on',
  soft: 'soft',
  softLine: 'soft-line',
  text: 'text',
  mark: 'mark',
  deep: 'deep',
};
const everyRole = Object.keys(cssNames) as Role[];
/** More stars than one site has; a kilobyte each. */
export const maxCachedColours = 4_000;
const cachedDeclarations = new Map<string, Partial<Record<Role, string>>>();

/** The roles of a colour that were asked for, each as its two declarations. What makes one takes a hundred times longer than joining them. */
function declarations(fandomColor: string): Partial<Record<Role, string>> {
  const cached = cachedDeclarations.get(fandomColor);
  if (cached) return cached;
  const [oldest] = cachedDeclarations.size >= maxCachedColours ? cachedDeclarations.keys() : [];
  if (oldest) cachedDeclarations.delete(oldest);
  const created = {};
  cachedDeclarations.set(fandomColor, created);
  return created;
}

function declarationOf(fandomColor: string, role: Role): string {
  const { light, dark } = starRole(fandomColor, role);
  return `--${cssNames[role]}-l:${light};--${cssNames[role]}-d:${dark}`;
}

/**
 * The `style` of an element with class `scope`: a star's colour roles in both modes (look §2.6). Lists ask only for the
 * roles they use, because every badge of a feed carries them.
 */
export function scopeStyle(fandomColor: string, roles: readonly Role[] = everyRole): string {
  const cached = declarations(fandomColor);
  let style = '';
  for (const role of roles) {
    const declaration = cached[role] ?? declarationOf(fandomColor, role);
    cached[role] = declaration;
    style += style === '' ? declaration : `;${declaration}`;
  }
  return style;
}

/** Milliseconds of work, then of rest: who asks for a page meanwhile waits for no more than that. */
const warmUp = { work: 4, rest: 12 };

/**
 * Makes the roles of colours before anybody asks for them: the first pages after a start would each make those of dozens of
 * stars, which is a third of rendering a full month.
 */
export async function warmColourScopes(colours: readonly string[]): Promise<void> {
  let since = performance.now();
  for (const colour of colours) {
    scopeStyle(colour);
    if (performance.now() - since < warmUp.work) continue;
    await Bun.sleep(warmUp.rest);
    since = performance.now();
  }
}
