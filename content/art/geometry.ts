/** A place in the picture, y downwards. */
export type Point = readonly [x: number, y: number];

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
