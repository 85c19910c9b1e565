import type { CDPSession, Page } from '@playwright/test';

/** What a person sees who zooms to 400 % at 1280 × 1024: WCAG 1.4.10. */
export const zoomed = { width: 320, height: 256 };

const sessions = new WeakMap<Page, Promise<CDPSession>>();
const usualFontSize = 16;
const fontSizes = new WeakMap<Page, number>();

/** Sets the browser's own font size, as a person does in its settings; 16 is where it stands. */
export async function setFontSize(page: Page, pixels: number): Promise<void> {
  if ((fontSizes.get(page) ?? usualFontSize) === pixels) return;
  fontSizes.set(page, pixels);
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  await (await session).send('Page.setFontSizes', {
    fontSizes: { standard: pixels, fixed: Math.round((pixels * 13) / 16) },
  });
}

/**
 * Pages that are opened from now on are laid out from their first layout on as `misfits` reads them: in the widest font that systems
 * bring, whatever this machine's is, with what is far below, and with the text as large as `setTextSize` left it. A sheet that comes
 * later would have all of them laid out twice.
 */
export async function layOutInWidestFont(page: Page): Promise<void> {
  await page.addInitScript((textSizeKey) => {
    const widest = new CSSStyleSheet();
    widest.replaceSync(
      '* { content-visibility: visible !important; } html, [lang] { font-family: "DejaVu Sans", Verdana, sans-serif !important; }',
    );
    const textSize = new CSSStyleSheet();
    textSize.replaceSync(`html { font-size: ${sessionStorage.getItem(textSizeKey) ?? '100%'} !important; }`);
    document.adoptedStyleSheets = [widest, textSize];
  }, textSizeKey);
}

const textSizeKey = 'text-size';

/** Sets how large the page's own text is, as a person's own style does: no media query hears of it. It stays for the next pages. */
export function setTextSize(page: Page, percent: number): Promise<void> {
  return page.evaluate(
    ([key, size]) => {
      if ((sessionStorage.getItem(key) ?? '100%') === size) return;
      sessionStorage.setItem(key, size);
      document.adoptedStyleSheets.at(-1)?.replaceSync(`html { font-size: ${size} !important; }`);
    },
    [textSizeKey, `${percent}%`] as const,
  );
}

/**
 * What does not fit on a page of `layOutInWidestFont` as it is now: a page that scrolls sideways, words that lie outside, are cut by a box, lie on one another or are broken inside. What scrolls by itself
 * is left alone.
 */
export function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** The tagline goes where it has no room; a line of news, a message in the talk of the day, a label of the calendar, a name in a bar and the page's own in its breadcrumb end in an ellipsis. */
    const mayGo =
      '.header-tagline, .news-newest, .day-label, .user-name, .talking-message, .breadcrumb [aria-current]';
    interface Layout {
      overflowX: string;
      overflowY: string;
      position: string;
      clipPath: string;
      fontSize: number;
      box: DOMRect;
    }
    const faults = new Set<string>();
    const root = document.documentElement;
    const wide = innerWidth;
    const name = (element: Element) => {
      const classes = [...element.classList].slice(0, 2).map((each) => `.${each}`);
      return `${element.localName}${classes.join('')}`;
    };
    const where = (element: Element) =>
      [element.parentElement?.parentElement, element.parentElement, element]
        .flatMap((each) => (each ? [name(each)] : []))
        .join(' > ');
    const layouts = new Map<Element, Layout>();
    /** Asked once of an element, not for each text in it: that is most of the time. */
    const layoutOf = (element: Element): Layout => {
      const cached = layouts.get(element);
      if (cached) return cached;
      const { overflowX, overflowY, position, clipPath, fontSize } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const layout = { overflowX, overflowY, position, clipPath, fontSize: Number.parseFloat(fontSize), box };
      layouts.set(element, layout);
      return layout;
    };
    const scrolls = (element: Element) => /auto|scroll/.test(layoutOf(element).overflowX);
    /** A row may scroll sideways; what scrolls down may not, nor may anything that holds a dialog. */
    const scrollsSideways = (element: Element) =>
      scrolls(element) &&
      element.scrollHeight <= element.clientHeight + 2 &&
      !element.matches('dialog, .sheet-body, .sheet-scroll');
    const ancestors = (element: Element) => {
      const elements: Element[] = [];
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
        elements.push(at);
      return elements;
    };
    /** Where it is painted whatever flows beside it: bars, layers, what is placed over pictures. */
    const layerOf = (element: Element) =>
      ancestors(element).find((each) => /fixed|sticky|absolute/.test(layoutOf(each).position)) ?? root;

    if (root.scrollWidth > root.clientWidth) {
      const beyond = [...document.body.querySelectorAll('*')].filter(
        (each) =>
          each.getBoundingClientRect().right > wide + 1 &&
          each.checkVisibility() &&
          !ancestors(each)
            .slice(1)
            .some((above) => layoutOf(above).overflowX !== 'visible') &&
          ![...each.children].some((child) => child.getBoundingClientRect().right > wide + 1),
      );
      faults.add(`the page is ${root.scrollWidth} wide: ${beyond.slice(0, 4).map(where).join(', ')}`);
    }

    const lines: (Record<'top' | 'right' | 'bottom' | 'left', number> & {
      text: string;
      at: Element;
      layer: Element;
    })[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.parentElement;
      const text = node.nodeValue ?? '';
      if (
        !at ||
        text.trim() === '' ||
        at.closest(`script, style, noscript, template, option, .visually-hidden, [inert], ${mayGo}`)
      )
        continue;
      if (
        !at.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lineBoxes = [...range.getClientRects()];
      const boxes = lineBoxes.filter((box) => box.width > 1 && box.height > 1);
      if (boxes.length === 0) continue;
      const above = ancestors(at);
      const layer = layerOf(at);
      if (above.some((each) => /^inset\(/.test(layoutOf(each).clipPath))) continue;
      const words = `${where(at)} “${text.trim().slice(0, 40)}”`;
      let reachable = false;
      for (const each of above) {
        const { overflowX, overflowY, box } = layoutOf(each);
        const slack = layoutOf(at).fontSize * 0.3;
        const cutX =
          /hidden|clip/.test(overflowX) &&
          boxes.some((one) => one.left < box.left - 1.5 || one.right > box.right + 1.5);
        const cutY =
          /hidden|clip/.test(overflowY) &&
          boxes.some((one) => one.top < box.top - slack || one.bottom > box.bottom + slack);
        if (!reachable && (cutX || cutY)) faults.add(`cut by ${name(each)}: ${words}`);
        if (scrolls(each) && !scrollsSideways(each) && each.scrollWidth > each.clientWidth + 1)
          faults.add(`scrolls both ways: ${where(each)}, ${each.scrollWidth} wide in ${each.clientWidth}`);
        if (scrolls(each)) reachable = true;
      }
      const fixedAncestor = above.find((each) => layoutOf(each).position === 'fixed');
      if (fixedAncestor && !reachable && boxes.some((one) => one.top < -2 || one.bottom > innerHeight + 2))
        faults.add(`beyond the window in ${name(fixedAncestor)}: ${words}`);
      if (!reachable && boxes.some((one) => one.left < -1.5 || one.right > wide + 1.5))
        faults.add(`outside: ${words}`);
      if (!reachable)
        for (const { top, right, bottom, left } of boxes)
          lines.push({ top, right, bottom, left, text: text.trim().slice(0, 30), at, layer });
      // No word of a text on one line is broken.
      if (lineBoxes.length === 1) continue;
      // An address and the name that a person chose have no place to break, however long they are.
      if (at.closest('.account-name, code, .calendar-address')) continue;
      for (const word of text.matchAll(/[\p{L}\p{M}\p{N}]{2,}/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const parts = [...range.getClientRects()].filter((box) => box.width > 0.5);
        const [first] = parts;
        if (first && parts.some((part) => part.top > first.top + first.height / 2))
          faults.add(`broken inside: ${word[0]} in ${words}`);
      }
    }
    // From top to bottom, so that a line is compared with those beside it alone.
    lines.sort((one, other) => one.top - other.top);
    for (const [index, one] of lines.entries()) {
      for (let next = index + 1; next < lines.length; next += 1) {
        const other = lines[next];
        if (!other || other.top >= one.bottom) break;
        if (one.at === other.at || one.layer !== other.layer) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - other.top;
        const least = Math.min(one.bottom - one.top, other.bottom - other.top);
        if (across > 2 && down > 0.4 * least)
          faults.add(`on one another: ${where(one.at)} “${one.text}” and ${where(other.at)} “${other.text}”`);
      }
    }
    return [...faults];
  });
}
