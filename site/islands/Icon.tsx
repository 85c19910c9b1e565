/** An icon that the page has put into its sprite (`components/admin/IconSprite.astro`). Decorative: words stand beside it. */
export function Icon({ name, size = 18 }: { name: string; size?: number }) {
  return (
    <svg className="icon-use" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
