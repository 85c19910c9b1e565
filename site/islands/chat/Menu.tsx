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
const widest = 272;
const edge = 8;

/** A button with a menu by the patterns of ARIA: arrows, Home, End, Escape, the focus comes back. */
export function Menu({ label, choices, upwards = false, className = '', tabIndex }: Props) {
  const [open, setOpen] = useState(false);
  const [toEnd, setToEnd] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(place.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !place.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
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
    const all = items();
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? all.indexOf(activeElement) : -1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[key];
    if (to === undefined) return false;
    all[to % all.length]?.focus({ preventScroll: true });
    return true;
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the button and the menu inside
    <div
      ref={place}
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
          setToEnd(currentTarget.getBoundingClientRect().left + widest > innerWidth);
          setOpen(!open);
        }}
      >
        <Icon name="ellipsis" />
      </button>
      {open && (
        <div
          ref={list}
          className={`menu ${upwards ? 'menu-up' : ''} ${toEnd ? '' : 'menu-start'}`}
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
