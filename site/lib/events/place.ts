/** Venue and town of an event; empty when neither is known. */
export const placeOf = ({ venue, location }: Record<'venue' | 'location', string | null>): string =>
  [venue, location].filter(Boolean).join(', ');
