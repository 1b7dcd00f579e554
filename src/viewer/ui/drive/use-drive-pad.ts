import { useEffect, useState } from 'react';
import { type DriveController, LET_GO_TEXT } from './drive-controller.ts';
import { NO_INTENT } from './drive-core.ts';
import { choosePad, type PadReading, type PadWish, padName, readPad, unknownPad } from './gamepad.ts';

/** How often gamepads are read, milliseconds. */
export const READ_EVERY_MS = 25;

/** The gamepad that drives, by its name on the page. */
export interface PadView {
  name: string | null;
  /** A connected gamepad whose buttons the browser does not know. */
  unknownName: string | null;
}

/**
 * Reads gamepads and keeps the controller running while the component is mounted. A gamepad may be connected and disconnected at
 * any time.
 */
export function useDrivePad(controller: DriveController): PadView {
  const [view, setView] = useState<PadView>({ name: null, unknownName: null });

  useEffect(() => {
    let usedIndex: number | null = null;
    let before: PadWish | null = null;
    let mustRest = true;
    let shown: PadView = { name: null, unknownName: null };

    const read = () => {
      const pads = readPads();
      const pad = choosePad(pads, usedIndex);
      const unknown = pad ? null : unknownPad(pads);
      show({ name: pad && padName(pad.id), unknownName: unknown && padName(unknown.id) });
      if (usedIndex !== null && pad?.index !== usedIndex) {
        controller.halt(`The gamepad is gone, so the robot was stopped. ${LET_GO_TEXT}`);
        controller.hold('gamepad', NO_INTENT);
        before = null;
        mustRest = true;
      }
      usedIndex = pad?.index ?? null;
      if (pad) act(readPad(pad));
      controller.tick();
    };
    const show = (next: PadView) => {
      if (next.name === shown.name && next.unknownName === shown.unknownName) return;
      shown = next;
      setView(next);
    };
    const act = (wish: PadWish) => {
      const { intent, slow, stop, head } = wish;
      // Only a visible page with the focus uses the stick.
      const attended = document.visibilityState === 'visible' && document.hasFocus();
      if (attended && stop && !before?.stop) controller.stop();
      if (slow !== (before?.slow ?? false)) controller.setSlow(slow);
      if (attended && head !== null && before?.head === null) controller.moveHead(head);
      // A stick that was held in the meantime counts again once it has been centred.
      const resting = intent.forward === 0 && intent.left === 0 && intent.turnLeft === 0;
      mustRest = !resting && (mustRest || !attended);
      controller.hold('gamepad', mustRest ? NO_INTENT : intent);
      before = wish;
    };
    const timer = setInterval(read, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [controller]);

  return view;
}

/** Returns the gamepads. In a frame whose site withholds them, the browser throws, and the list is empty. */
export function readPads(): readonly (PadReading | null)[] {
  try {
    return navigator.getGamepads();
  } catch {
    return [];
  }
}
