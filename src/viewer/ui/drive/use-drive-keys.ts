import { useEffect, useState } from 'react';
import { type DriveController, LET_GO_WORDS, STOPPED_WORDS } from './drive-controller.ts';
import { OVERLAID, TAKES_TEXT, within } from './elsewhere.ts';
import { isArrow, isDriveKey, keysIntent } from './keyboard.ts';

/** Here the arrows move something else. */
const USES_ARROWS = `${TAKES_TEXT}, input, [data-stick], [role="tablist"], [role="slider"], [role="radiogroup"], [role="tree"], [role="grid"]`;

/**
 * Drives by the keyboard while the component is there. Whatever takes the keys away from the page stops the robot: another window, a
 * hidden tab, a field to type into, a menu or a dialog.
 * @returns the keys that are down, to be shown
 */
export function useDriveKeys(controller: DriveController, onLeave: () => void): ReadonlySet<string> {
  const [down, setDown] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    let held = new Set<string>();
    const change = (next: Set<string>) => {
      held = next;
      setDown(next);
      controller.hold('keys', keysIntent(next));
    };
    const halt = (why: string) => {
      held = new Set();
      setDown(held);
      controller.setSlow(false);
      controller.halt(why);
    };

    const onKeyDown = (event: KeyboardEvent) => {
      controller.setSlow(event.shiftKey);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (within(event.target, TAKES_TEXT) || within(event.target, OVERLAID)) return;
      if (event.code === 'Escape') {
        event.preventDefault();
        return onLeave();
      }
      if (event.code === 'Space') {
        held = new Set();
        setDown(held);
        // The page's own stop key has taken it while something moves; what is held must not drive on either.
        if (event.defaultPrevented) controller.halt(STOPPED_WORDS);
        else if (!event.repeat) controller.stop();
        event.preventDefault();
        return;
      }
      if (!isDriveKey(event.code) || (isArrow(event.code) && within(event.target, USES_ARROWS))) return;
      event.preventDefault();
      event.stopPropagation();
      // A key that was down when the robot was stopped repeats: only a fresh press drives on.
      if (!event.repeat) change(new Set(held).add(event.code));
    };
    const onKeyUp = (event: KeyboardEvent) => {
      controller.setSlow(event.shiftKey);
      if (event.code === 'Space' && !within(event.target, TAKES_TEXT)) event.preventDefault();
      if (!held.has(event.code)) return;
      const next = new Set(held);
      next.delete(event.code);
      change(next);
    };
    const onBlur = () => halt(`The page lost the keyboard, so the robot was stopped. ${LET_GO_WORDS}`);
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') halt(`This page was out of view, so the robot was stopped. ${LET_GO_WORDS}`);
    };
    const onFocus = ({ target }: FocusEvent) => {
      if (within(target, OVERLAID)) halt(`A menu or dialog opened, so the robot was stopped. ${LET_GO_WORDS}`);
      else if (within(target, TAKES_TEXT)) halt('The keyboard writes into a field now, so the robot was stopped.');
    };

    window.addEventListener('keydown', onKeyDown, { capture: true });
    window.addEventListener('keyup', onKeyUp, { capture: true });
    window.addEventListener('blur', onBlur);
    window.addEventListener('pagehide', onBlur);
    document.addEventListener('visibilitychange', onVisibility);
    document.addEventListener('freeze', onBlur);
    document.addEventListener('focusin', onFocus);
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      window.removeEventListener('keyup', onKeyUp, { capture: true });
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('pagehide', onBlur);
      document.removeEventListener('visibilitychange', onVisibility);
      document.removeEventListener('freeze', onBlur);
      document.removeEventListener('focusin', onFocus);
    };
  }, [controller, onLeave]);

  return down;
}
