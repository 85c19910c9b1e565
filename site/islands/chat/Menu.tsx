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
  /** Where the list opens. */
  upwards?: boolean;
  className?: string;
  tabIndex?: number;
}

/** A menu's largest width with its distance from the edge, px. */
const maxWidth = 272;
const edge = 8;

/** A button with a menu by the patterns of ARIA: arrows, Home, End, Escape, the focus comes back. */
export function Menu({ label, choices, upwards = false, className = '', tabIndex }: Props) {
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

  // On narrow screens neither side has room: the menu moves into the window.
  useLayoutEffect(() => {
    if (!open || !list.current) return;
    const { left, right } = list.current.getBoundingClientRect();
    const shift = left < edge ? edge - left : Math.min(0, innerWidth - edge - right);
    list.current.style.translate = `${shift}px`;
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
        <div
          ref={list}
          className={`menu ${upwards ? 'menu-up' : ''} ${isEndAligned ? '' : 'menu-start'}`}
          role="menu"
          aria-label={label}
        >
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
