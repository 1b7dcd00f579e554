import { useEffect, useState } from 'react';
import { NO_INTENT } from '../drive/drive-core.ts';
import { choosePad, padName, unknownPad } from '../drive/gamepad.ts';
import { type PadView, READ_EVERY_MS, readPads } from '../drive/use-drive-pad.ts';
import { carryOut } from './carry-out.ts';
import type { Cockpit } from './cockpit-controller.ts';
import { type CockpitPadWish, createPadButtons, isResting, padCommand, readCockpitPad } from './cockpit-pad.ts';

/** Reads gamepads while the component is mounted. A gamepad may be connected and disconnected at any time. */
export function useCockpitPad(cockpit: Cockpit): PadView {
  const [view, setView] = useState<PadView>({ name: null, unknownName: null });

  useEffect(() => {
    const buttons = createPadButtons();
    let usedIndex: number | null = null;
    let stopped = false;
    let wasSlow = false;
    let mustRest = true;

    const read = () => {
      const pads = readPads();
      const pad = choosePad(pads, usedIndex);
      const unknown = pad ? null : unknownPad(pads);
      const next = { name: pad && padName(pad.id), unknownName: unknown && padName(unknown.id) };
      setView((shown) => (shown.name === next.name && shown.unknownName === next.unknownName ? shown : next));
      if (usedIndex !== null && pad?.index !== usedIndex) {
        cockpit.halt('The gamepad is gone, so the robot was stopped.');
        cockpit.hold('gamepad', NO_INTENT);
        mustRest = true;
      }
      usedIndex = pad?.index ?? null;
      if (pad) act(readCockpitPad(pad));
    };
    const act = ({ intent, slow, stop, pressed }: CockpitPadWish) => {
      // Only a visible page with the focus uses the stick.
      const attended = document.visibilityState === 'visible' && document.hasFocus();
      if (attended && stop && !stopped) cockpit.stop();
      stopped = stop;
      if (slow !== wasSlow) cockpit.setSlow(slow);
      wasSlow = slow;
      for (const button of buttons.due(pressed, attended, performance.now())) {
        const { arms, chosen } = cockpit.view.getState();
        const command = padCommand(button, arms === 'on', chosen.side);
        if (command) carryOut(cockpit, command);
      }
      // A stick that was held in the meantime counts again once it has been centred.
      mustRest = !isResting(intent) && (mustRest || !attended);
      cockpit.hold('gamepad', mustRest ? NO_INTENT : intent);
    };
    const timer = setInterval(read, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [cockpit]);

  return view;
}
