import { useEffect } from 'react';
import { OVERLAID, TAKES_TEXT, within } from '../drive/elsewhere.ts';
import { USES_ARROWS, watchInputLost } from '../drive/input-lost.ts';
import { isArrow, isDriveKey, keysIntent, losesKeyups } from '../drive/keyboard.ts';
import { carryOut } from './carry-out.ts';
import type { Cockpit } from './cockpit-controller.ts';
import { cockpitKeyCommand } from './cockpit-keys.ts';

/**
 * Drives and poses by the keyboard while the component is mounted. When the page loses the keys, the robot stops and arm mode
 * ends in its order.
 */
export function useCockpitKeys(cockpit: Cockpit, onLeave: () => void): void {
  useEffect(() => {
    let held = new Set<string>();
    const change = (next: Set<string>) => {
      held = next;
      cockpit.hold('keys', keysIntent(next));
    };
    const forget = () => {
      held = new Set();
      cockpit.setSlow(false);
    };
    const stop = watchInputLost((why) => {
      forget();
      cockpit.halt(`${why}, so the robot was stopped.`);
    });

    const onKeyDown = (event: KeyboardEvent) => {
      cockpit.setSlow(event.shiftKey);
      if (losesKeyups(event) && held.size > 0) change(new Set());
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (within(event.target, TAKES_TEXT) || within(event.target, OVERLAID)) return;
      if (event.code === 'Escape') {
        event.preventDefault();
        // A held key would end arm mode and then close the cockpit.
        if (!event.repeat && !cockpit.leaveArms()) onLeave();
        return;
      }
      if (event.code === 'Space') {
        forget();
        // The page's own stop key has pressed it while something moves; held keys must not continue either.
        if (!event.repeat) cockpit.stop(event.defaultPrevented);
        event.preventDefault();
        return;
      }
      const inArms = cockpit.view.getState().arms !== 'off';
      const elsewhere = isArrow(event.code) && within(event.target, USES_ARROWS);
      const command = elsewhere ? null : cockpitKeyCommand(event, inArms);
      if (command) carryOut(cockpit, command);
      else if (elsewhere || inArms || !isDriveKey(event.code)) return;
      // A key that was down when the robot was stopped repeats; only a fresh press drives on.
      else if (!event.repeat) change(new Set(held).add(event.code));
      event.preventDefault();
      event.stopPropagation();
    };
    const onKeyUp = (event: KeyboardEvent) => {
      cockpit.setSlow(event.shiftKey);
      if (event.code === 'Space' && !within(event.target, TAKES_TEXT)) event.preventDefault();
      if (losesKeyups(event) && held.size > 0) change(new Set());
      if (!held.has(event.code)) return;
      const next = new Set(held);
      next.delete(event.code);
      change(next);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    window.addEventListener('keyup', onKeyUp, { capture: true });
    return () => {
      stop();
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      window.removeEventListener('keyup', onKeyUp, { capture: true });
    };
  }, [cockpit, onLeave]);
}
