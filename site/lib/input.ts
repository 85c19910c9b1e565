export { offsetOfPage, readId, readOffset, readStarIds } from '#api/input.ts';
