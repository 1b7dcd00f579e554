import { useEffect, useState } from 'react';
import { type DriveController, LET_GO_WORDS, STOPPED_WORDS } from './drive-controller.ts';
import { OVERLAID, TAKES_TEXT, within } from './elsewhere.ts';
import { USES_ARROWS, watchInputLost } from './input-lost.ts';
import { isArrow, isDriveKey, keysIntent, losesKeyups } from './keyboard.ts';

/**
 * Drives by the keyboard while the component is mounted. The robot stops when the page loses the keys: another window, a hidden
 * tab, a field to type into, a menu or a dialog.
 * @returns the pressed keys, for display
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
      if (losesKeyups(event) && held.size > 0) change(new Set());
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (within(event.target, TAKES_TEXT) || within(event.target, OVERLAID)) return;
      if (event.code === 'Escape') {
        event.preventDefault();
        return onLeave();
      }
      if (event.code === 'Space') {
        held = new Set();
        setDown(held);
        // The page's own stop key has handled it while something moves; held keys must not drive on either.
        if (event.defaultPrevented) controller.halt(STOPPED_WORDS);
        else if (!event.repeat) controller.stop();
        event.preventDefault();
        return;
      }
      if (!isDriveKey(event.code) || (isArrow(event.code) && within(event.target, USES_ARROWS))) return;
      event.preventDefault();
      event.stopPropagation();
      // A key that was down when the robot was stopped repeats; only a fresh press drives on.
      if (!event.repeat) change(new Set(held).add(event.code));
    };
    const onKeyUp = (event: KeyboardEvent) => {
      controller.setSlow(event.shiftKey);
      if (event.code === 'Space' && !within(event.target, TAKES_TEXT)) event.preventDefault();
      if (losesKeyups(event) && held.size > 0) change(new Set());
      if (!held.has(event.code)) return;
      const next = new Set(held);
      next.delete(event.code);
      change(next);
    };
    const stopWatching = watchInputLost((why) => halt(`${why}, so the robot was stopped. ${LET_GO_WORDS}`));
    window.addEventListener('keydown', onKeyDown, { capture: true });
    window.addEventListener('keyup', onKeyUp, { capture: true });
    return () => {
      stopWatching();
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      window.removeEventListener('keyup', onKeyUp, { capture: true });
    };
  }, [controller, onLeave]);

  return down;
}
