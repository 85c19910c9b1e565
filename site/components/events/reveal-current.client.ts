/** A row of tabs or chips that does not fit shows its current one. */
export function revealCurrent(): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-part] nav [aria-current]')) {
    const row = link.closest('nav');
    if (row) row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  }
}
