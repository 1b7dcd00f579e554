import { useEffect, useState } from 'react';
import { within } from '../common/elsewhere.ts';
import { type DriveController, LET_GO_TEXT, STOPPED_TEXT } from './drive-controller.ts';
import { type KeyUse, watchHeldKeys } from './held-keys.ts';
import { USES_ARROWS } from './input-lost.ts';
import { isArrow, isDriveKey, keysIntent } from './keyboard.ts';

/**
 * Drives by the keyboard while the component is mounted. The robot stops when the page loses the keys: another window, a hidden
 * tab, a text field, a menu or a dialog.
 * @returns the pressed keys, for display
 */
export function useDriveKeys(controller: DriveController, onLeave: () => void): ReadonlySet<string> {
  const [down, setDown] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    const press = (event: KeyboardEvent, forget: () => void): KeyUse => {
      if (event.code === 'Escape') {
        event.preventDefault();
        onLeave();
        return 'left';
      }
      if (event.code === 'Space') {
        forget();
        setDown(new Set());
        // The page's own stop key has handled it while something moves. Held keys must not continue to drive either.
        if (event.defaultPrevented) controller.halt(STOPPED_TEXT);
        else if (!event.repeat) controller.stop();
        event.preventDefault();
        return 'left';
      }
      return !isDriveKey(event.code) || (isArrow(event.code) && within(event.target, USES_ARROWS)) ? 'left' : 'drives';
    };
    return watchHeldKeys({
      drive: (held) => {
        setDown(held);
        controller.hold('keys', keysIntent(held));
      },
      setSlow: (slow) => controller.setSlow(slow),
      press,
      lose: (why) => {
        setDown(new Set());
        controller.setSlow(false);
        controller.halt(`${why}, so the robot was stopped. ${LET_GO_TEXT}`);
      },
    });
  }, [controller, onLeave]);

  return down;
}
