import type sharp from 'sharp';

/** sharp, once there is a picture to be made: it takes 12 MB of every process that loads it. */
export const loadSharp = async (): Promise<typeof sharp> => (await import('sharp')).default;
