interface Props {
  /** An icon of the page's sprite (`IconSprite.astro`). */
  name: 'send' | 'ellipsis' | 'arrowDown' | 'circleAlert' | 'x';
  size?: number;
}

export function Icon({ name, size = 20 }: Props) {
  return (
    <svg
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <use href={`#icon-${name}`} />
    </svg>
  );
}
