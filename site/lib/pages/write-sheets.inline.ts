/**
 * Behind a `<noscript>` of style sheets: asks for them when the page is read this far. Browsers look ahead for links and would
 * ask for them at once with the largest picture; where both came together, it was painted only when the whole page had been
 * laid out, 120–160 ms later on a slow phone. Only what the parser writes does it wait for.
 */
document.write(document.currentScript?.previousSibling?.textContent ?? '');

export {};
