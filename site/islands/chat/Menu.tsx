import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

export interface Choice {
  key: string;
  label: ReactNode;
  choose: () => void;
}

interface Props {
  label: string;
  choices: readonly Choice[];
  className?: string;
  tabIndex?: number;
}

/** A menu's largest width with its distance from the edge, px. */
const maxWidth = 272;
const edge = 8;

/** A button with a menu by the patterns of ARIA: arrows, Home, End, Escape, the focus comes back. */
export function Menu({ label, choices, className = '', tabIndex }: Props) {
  const [open, setOpen] = useState(false);
  const [isEndAligned, setEndAligned] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
    const closeFromOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeFromOutside);
    document.addEventListener('focusin', closeFromOutside);
    return () => {
      document.removeEventListener('pointerdown', closeFromOutside);
      document.removeEventListener('focusin', closeFromOutside);
    };
  }, [open]);

  // It moves into the window on narrow screens, where neither side has room, and opens above its button where the log ends below:
  // nobody can scroll past the last message. Where only the window ends below, and there is no room above, the page is scrolled to it.
  // Where it is higher than either side, the log is.
  useLayoutEffect(() => {
    if (!open || !list.current || !button.current) return;
    const { left, right, height } = list.current.getBoundingClientRect();
    const shift = left < edge ? edge - left : Math.min(0, innerWidth - edge - right);
    list.current.style.translate = `${shift}px`;
    const log = button.current.closest('.chat-log')?.getBoundingClientRect();
    const { top, bottom } = button.current.getBoundingClientRect();
    const above = top - Math.max(0, log?.top ?? 0);
    const room = (log?.bottom ?? innerHeight) - bottom;
    const below = Math.min(room, innerHeight - bottom);
    const needed = height + edge;
    list.current.classList.toggle('menu-up', below < needed && above > (above < needed ? room : below));
    list.current.scrollIntoView({ block: 'nearest' });
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };

  const move = (key: string): boolean => {
    const menuItems = items();
    const { activeElement } = document;
    const currentIndex = activeElement instanceof HTMLElement ? menuItems.indexOf(activeElement) : -1;
    const targetIndex = {
      ArrowDown: currentIndex + 1,
      ArrowUp: currentIndex - 1 + menuItems.length,
      Home: 0,
      End: menuItems.length - 1,
    }[key];
    if (targetIndex === undefined) return false;
    menuItems[targetIndex % menuItems.length]?.focus({ preventScroll: true });
    return true;
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the button and the menu inside
    <div
      ref={root}
      className={`chat-menu ${className}`}
      data-open={open || undefined}
      onKeyDown={(event) => {
        if (!open) return;
        event.stopPropagation();
        if (event.key === 'Escape') close();
        else if (event.key === 'Tab') setOpen(false);
        else if (!move(event.key)) return;
        if (event.key !== 'Tab') event.preventDefault();
      }}
    >
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        tabIndex={tabIndex}
        onClick={({ currentTarget }) => {
          setEndAligned(currentTarget.getBoundingClientRect().left + maxWidth > innerWidth);
          setOpen(!open);
        }}
      >
        <Icon name="ellipsis" />
      </button>
      {open && (
        <div ref={list} className={isEndAligned ? 'menu' : 'menu menu-start'} role="menu" aria-label={label}>
          {choices.map(({ key, label: text, choose }) => (
            <button
              key={key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                choose();
              }}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
