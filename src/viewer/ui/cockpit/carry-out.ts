import type { Cockpit } from './cockpit-controller.ts';
import type { CockpitKeyDeed } from './cockpit-keys.ts';

/** Carries out the command of a key or a gamepad button. */
export function carryOut(cockpit: Cockpit, deed: CockpitKeyDeed): void {
  switch (deed.kind) {
    case 'toggle':
      cockpit.toggleArms();
      break;
    case 'preset':
      cockpit.choosePreset(deed.preset);
      break;
    case 'arm':
      cockpit.chooseArm(deed.side);
      break;
    case 'joint':
      cockpit.cycleJoint(deed.by);
      break;
    case 'nudge':
      cockpit.nudge(deed.by);
      break;
  }
}
