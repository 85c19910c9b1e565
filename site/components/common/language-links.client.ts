/** Links to other languages carry the state of the page; where that changes in place, they follow the address. */
export function keepLanguageLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]'))
    link.search = location.search;
}
