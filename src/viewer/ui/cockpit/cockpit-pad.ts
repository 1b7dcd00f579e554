import { type DriveIntent, NO_INTENT } from '../drive/drive-core.ts';
import { type PadReading, readPad } from '../drive/gamepad.ts';
import type { CockpitCommand } from './cockpit-keys.ts';

/** Buttons of the standard mapping in addition to those of driving: Y toggles arm mode, the right shoulder changes the arm. */
const BUTTON = { y: 3, rightShoulder: 5, up: 12, down: 13, left: 14, right: 15 } as const;
type Button = keyof typeof BUTTON;

const FIRST_REPEAT_MS = 400;
const REPEAT_MS = 100;

/** The commands of a gamepad at this moment. */
export interface CockpitPadWish {
  intent: DriveIntent;
  slow: boolean;
  stop: boolean;
  pressed: ReadonlySet<Button>;
}

/** Reads a gamepad: left stick walks, right stick turns, B stops, the left shoulder button slows down. */
export function readCockpitPad(pad: PadReading): CockpitPadWish {
  const { intent, slow, stop } = readPad(pad);
  const pressed = new Set((Object.keys(BUTTON) as Button[]).filter((name) => pad.buttons[BUTTON[name]]?.pressed));
  return { intent, slow, stop, pressed };
}

export const isResting = ({ forward, left, turnLeft }: DriveIntent): boolean =>
  forward === NO_INTENT.forward && left === NO_INTENT.left && turnLeft === NO_INTENT.turnLeft;

/**
 * Tracks how long each button has been down. Buttons act when they go down; those of the cross pad repeat while they are held.
 */
export function createPadButtons() {
  const nextAtMs = new Map<Button, number>();
  return {
    /**
     * Returns the buttons that act now. @param attended whether the page has the input; otherwise a button that is down does not
     * count as a press, then or later
     */
    due(pressed: ReadonlySet<Button>, attended: boolean, nowMs: number): Button[] {
      for (const name of nextAtMs.keys()) if (!pressed.has(name)) nextAtMs.delete(name);
      return [...pressed].filter((name) => {
        const next = nextAtMs.get(name);
        if (next !== undefined && nowMs < next) return false;
        const repeats = attended && (name === 'up' || name === 'down');
        const againMs = next === undefined ? FIRST_REPEAT_MS : REPEAT_MS;
        nextAtMs.set(name, repeats ? nowMs + againMs : Number.POSITIVE_INFINITY);
        return attended;
      });
    },
  };
}

const CROSS: Partial<Record<Button, CockpitCommand>> = {
  left: { kind: 'joint', by: -1 },
  right: { kind: 'joint', by: 1 },
  up: { kind: 'nudge', by: 1 },
  down: { kind: 'nudge', by: -1 },
};

/** Returns the command of a button; null while it has none. @param side the chosen arm */
export function padCommand(button: Button, inArms: boolean, side: 'r_arm' | 'l_arm'): CockpitCommand | null {
  if (button === 'y') return { kind: 'toggle' };
  if (!inArms) return null;
  if (button === 'rightShoulder') return { kind: 'arm', side: side === 'r_arm' ? 'l_arm' : 'r_arm' };
  return CROSS[button] ?? null;
}
