/**
 * How a star's round sign may be drawn, the plainest first: its first consonant, the first two, and both once more with
 * the light from the other side.
 */
export const markStyles = ['first', 'pair', 'first-turned', 'pair-turned'] as const;
export type MarkStyle = (typeof markStyles)[number];
