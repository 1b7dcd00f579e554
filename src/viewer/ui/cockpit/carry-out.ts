import type { Cockpit } from './cockpit-controller.ts';
import type { CockpitCommand } from './cockpit-keys.ts';

/** Carries out the command of a key or a gamepad button. */
export function carryOut(cockpit: Cockpit, command: CockpitCommand): void {
  switch (command.kind) {
    case 'toggle':
      cockpit.toggleArms();
      break;
    case 'preset':
      cockpit.choosePreset(command.preset);
      break;
    case 'arm':
      cockpit.chooseArm(command.side);
      break;
    case 'joint':
      cockpit.cycleJoint(command.by);
      break;
    case 'nudge':
      cockpit.nudge(command.by);
      break;
  }
}
