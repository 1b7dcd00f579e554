import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Something that a menu does. */
export interface MenuEntry {
  words: string;
  mark: ReactNode;
  /** Why it cannot be done just now; absent where it can. */
  offWords?: string | undefined;
  onSelect: () => void;
}

/** Between the button and the menu, and between the menu and the edge of the window. */
const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * A menu of groups of entries, which the browser itself lays over the page: a card cuts off what is larger than it, and a menu of a library
 * would weigh a tenth of this page.
 * @param groups called while it is open: hundreds of cards hold no entries
 */
export function CardMenu({ label, groups }: { label: string; groups: () => readonly (readonly MenuEntry[])[] }) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    // It would stay where its button no longer is. A long word in the search field scrolls too, and moves nothing.
    const close = () => menu.current?.hidePopover();
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(trigger.current)) close();
    };
    window.addEventListener('resize', close);
    window.addEventListener('scroll', onScroll, true);
    return () => {
      window.removeEventListener('resize', close);
      window.removeEventListener('scroll', onScroll, true);
    };
  }, [isOpen]);
  const items = (): HTMLButtonElement[] => [...(menu.current?.querySelectorAll('button') ?? [])];
  /** Opens and closes at once, so that a key which follows the press finds the focus in the menu. */
  const toggle = () => {
    const [button, list] = [trigger.current, menu.current];
    if (button === null || list === null) return;
    if (list.matches(':popover-open')) {
      list.hidePopover();
      return;
    }
    // Its size is needed as soon as it is there.
    flushSync(() => setOpen(true));
    button.focus();
    list.showPopover();
    place(list, button.getBoundingClientRect());
    items()[0]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') {
      menu.current?.hidePopover();
      return;
    }
    const all = items();
    const at = (all as (Element | null)[]).indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  const select = (entry: MenuEntry) => {
    if (entry.offWords !== undefined) return;
    menu.current?.hidePopover();
    trigger.current?.focus();
    entry.onSelect();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="icon-button robot-more"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title="More"
        data-state={isOpen ? 'open' : 'closed'}
        popoverTarget={id}
        onClick={(event) => {
          // The browser would open it later; that the button belongs to the menu it still knows.
          event.preventDefault();
          toggle();
        }}
      >
        <Ellipsis size={18} aria-hidden />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className="menu card-menu"
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {(isOpen ? groups() : []).map((group, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
          <div key={group[0]?.words} role="group" className={index === 0 ? undefined : 'card-menu-group'}>
            {group.map((entry) => (
              <button
                key={entry.words}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className="menu-item"
                aria-disabled={entry.offWords === undefined ? undefined : true}
                title={entry.offWords}
                onClick={() => select(entry)}
              >
                <span className="menu-mark" aria-hidden>
                  {entry.mark}
                </span>
                {entry.words}
              </button>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Puts a menu under its button, its right edge on that of the button; above it where there is no room below. */
function place(menu: HTMLElement, button: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = button.bottom + GAP_PX;
  const top = below + height + EDGE_PX <= window.innerHeight ? below : button.top - GAP_PX - height;
  menu.style.top = `${Math.max(EDGE_PX, top)}px`;
  menu.style.left = `${Math.max(EDGE_PX, button.right - width)}px`;
}
