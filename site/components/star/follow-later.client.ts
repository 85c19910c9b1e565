/**
 * Follow for a page on which it comes later. A file of its own, because one that is loaded both at once and later brings the
 * bundler's 400 bytes for modules as objects to every page that loads it at once.
 */
export { toggle } from './FollowButton.client.ts';
