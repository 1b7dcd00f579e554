import { type DriveIntent, outsideDeadZone } from './drive-core.ts';

/** Worn sticks rest slightly off centre. */
const DEAD_ZONE = 0.16;

/** Buttons of the standard mapping. */
const BUTTON = { b: 1, leftShoulder: 4, up: 12, down: 13, left: 14, right: 15, rightStick: 11 } as const;

/** The parts of a gamepad that are read; the browser's own type fits. */
export interface PadReading {
  readonly id: string;
  readonly index: number;
  readonly connected: boolean;
  readonly mapping: string;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean }[];
}

/** The commands of a gamepad at this moment. */
export interface PadWish {
  intent: DriveIntent;
  slow: boolean;
  stop: boolean;
  /** Head steps: 1 left or up, -1 right or down, null for none. */
  head: { left: number; up: number } | 'straight' | null;
}

/**
 * Reads a gamepad: left stick walks, right stick turns, the cross pad moves the head, B stops, the left shoulder button slows
 * down.
 */
export function readPad(pad: PadReading): PadWish {
  const axis = (index: number): number => {
    const value = pad.axes[index] ?? 0;
    return Number.isFinite(value) ? value : 0;
  };
  const pressed = (index: number): boolean => pad.buttons[index]?.pressed ?? false;
  const [right, back] = outsideDeadZone(axis(0), axis(1), DEAD_ZONE);
  const [turnRight] = outsideDeadZone(axis(2), 0, DEAD_ZONE);
  const left = Number(pressed(BUTTON.left)) - Number(pressed(BUTTON.right));
  const up = Number(pressed(BUTTON.up)) - Number(pressed(BUTTON.down));
  return {
    intent: { forward: -back || 0, left: -right || 0, turnLeft: -turnRight || 0 },
    slow: pressed(BUTTON.leftShoulder),
    stop: pressed(BUTTON.b),
    head: pressed(BUTTON.rightStick) ? 'straight' : left !== 0 || up !== 0 ? { left, up } : null,
  };
}

/** Chooses the pad to drive with: the one in use while it is connected, otherwise the first with the standard mapping. */
export function choosePad(pads: readonly (PadReading | null)[], usedIndex: number | null): PadReading | null {
  const usable = pads.filter((pad) => pad?.connected && pad.mapping === 'standard');
  return usable.find((pad) => pad?.index === usedIndex) ?? usable[0] ?? null;
}

/** Returns a connected pad that cannot be read, because the browser does not know its buttons. */
export const unknownPad = (pads: readonly (PadReading | null)[]): PadReading | null =>
  pads.find((pad) => pad?.connected && pad.mapping !== 'standard') ?? null;

/** Returns the name without the numbers that browsers append. */
export const padName = (id: string): string =>
  id
    .replace(/\s*\((?:STANDARD GAMEPAD|Vendor).*$/i, '')
    .replace(/^[0-9a-f]{4}-[0-9a-f]{4}-/i, '')
    .trim() || 'Gamepad';
