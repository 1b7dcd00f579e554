import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** An entry of a menu. */
export interface MenuEntry {
  text: string;
  mark: ReactNode;
  /** Why the entry is disabled; absent if it is enabled. */
  offText?: string | undefined;
  onSelect: () => void;
}

/** Distance between the button and the menu, and between the menu and the edge of the window. */
const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * A menu of grouped entries in the browser's top layer. A card would cut off larger content, and a menu from a library would add
 * a tenth to this page's size.
 * @param groups called while the menu is open, because hundreds of cards hold no entries
 */
export function CardMenu({ label, groups }: { label: string; groups: () => readonly (readonly MenuEntry[])[] }) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    // After scrolling, the menu would be away from its button. A long text in the search field also scrolls, but moves nothing.
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
  /** Opens and closes synchronously, so that a key pressed directly afterwards finds the focus in the menu. */
  const toggle = () => {
    const [button, list] = [trigger.current, menu.current];
    if (button === null || list === null) return;
    if (list.matches(':popover-open')) {
      list.hidePopover();
      return;
    }
    // The size of the menu is needed as soon as it exists.
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
    if (entry.offText !== undefined) return;
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
          // The browser would open the menu later. It still knows that the button belongs to the menu.
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
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not valid in a menu.
          <div key={group[0]?.text} role="group" className={index === 0 ? undefined : 'card-menu-group'}>
            {group.map((entry) => (
              <button
                key={entry.text}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className="menu-item"
                aria-disabled={entry.offText === undefined ? undefined : true}
                title={entry.offText}
                onClick={() => select(entry)}
              >
                <span className="menu-mark" aria-hidden>
                  {entry.mark}
                </span>
                {entry.text}
              </button>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Places a menu under its button, with the right edges aligned; above the button if there is no space below. */
function place(menu: HTMLElement, button: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = button.bottom + GAP_PX;
  const top = below + height + EDGE_PX <= window.innerHeight ? below : button.top - GAP_PX - height;
  menu.style.top = `${Math.max(EDGE_PX, top)}px`;
  menu.style.left = `${Math.max(EDGE_PX, button.right - width)}px`;
}
