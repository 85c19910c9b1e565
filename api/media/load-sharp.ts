import type sharp from 'sharp';

/** sharp, once there is a picture to be made: it takes 30 MB and a tenth of a second of every process that loads it. */
export const loadSharp = async (): Promise<typeof sharp> => (await import('sharp')).default;
