import { useEffect } from 'react';
import { within } from '../common/elsewhere.ts';
import { type KeyUse, watchHeldKeys } from '../drive/held-keys.ts';
import { USES_ARROWS } from '../drive/input-lost.ts';
import { isArrow, isDriveKey, keysIntent } from '../drive/keyboard.ts';
import { carryOut } from './carry-out.ts';
import type { Cockpit } from './cockpit-controller.ts';
import { cockpitKeyCommand } from './cockpit-keys.ts';

/**
 * Drives and poses by the keyboard while the component is mounted. When the page loses the keys, the robot stops and arm mode
 * ends in its order.
 */
export function useCockpitKeys(cockpit: Cockpit, onLeave: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent, forget: () => void): KeyUse => {
      if (event.code === 'Escape') {
        event.preventDefault();
        // A repeated key would end arm mode and then close the cockpit.
        if (!event.repeat && !cockpit.leaveArms()) onLeave();
        return 'left';
      }
      if (event.code === 'Space') {
        forget();
        cockpit.setSlow(false);
        // The page's own stop key has already pressed the stop while something moves. Held keys must not continue either.
        if (!event.repeat) cockpit.stop(event.defaultPrevented);
        event.preventDefault();
        return 'left';
      }
      const inArms = cockpit.view.getState().arms !== 'off';
      const elsewhere = isArrow(event.code) && within(event.target, USES_ARROWS);
      const command = elsewhere ? null : cockpitKeyCommand(event, inArms);
      if (command) {
        carryOut(cockpit, command);
        return 'done';
      }
      return elsewhere || inArms || !isDriveKey(event.code) ? 'left' : 'drives';
    };
    return watchHeldKeys({
      drive: (held) => cockpit.hold('keys', keysIntent(held)),
      setSlow: (slow) => cockpit.setSlow(slow),
      press,
      lose: (why) => {
        cockpit.setSlow(false);
        cockpit.halt(`${why}, so the robot was stopped.`);
      },
    });
  }, [cockpit, onLeave]);
}
