/**
 * Asks for what the dialog of My Stars is made of, side by side, once a pointer comes over a button that opens it. Otherwise the
 * press would wait for one file after another.
 */
function fetchAhead(): void {
  // Also one that was there before this file.
  if (!document.querySelector('[data-my-stars]:hover')) return;
  document.removeEventListener('pointerover', fetchAhead);
  for (const part of [
    import('../../islands/star-filter/open.ts'),
    import('../../islands/star-filter/mount.tsx'),
  ]) {
    // The press asks again, and says that it failed.
    part.catch(() => undefined);
  }
}

document.addEventListener('pointerover', fetchAhead);
fetchAhead();
