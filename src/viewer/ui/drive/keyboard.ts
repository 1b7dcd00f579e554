import type { DriveIntent } from './drive-core.ts';

/** Physical keys, so that the block is at the position of WASD on any layout. */
const KEYS: Record<string, Partial<DriveIntent>> = {
  KeyW: { forward: 1 },
  ArrowUp: { forward: 1 },
  KeyS: { forward: -1 },
  ArrowDown: { forward: -1 },
  KeyA: { left: 1 },
  KeyD: { left: -1 },
  KeyQ: { turnLeft: 1 },
  ArrowLeft: { turnLeft: 1 },
  KeyE: { turnLeft: -1 },
  ArrowRight: { turnLeft: -1 },
};

export const isDriveKey = (code: string): boolean => Object.hasOwn(KEYS, code);
export const isArrow = (code: string): boolean => code.startsWith('Arrow');

/** Returns whether an event makes the held keys unknown: macOS reports no keyup of other keys while Command is down. */
export const losesKeyups = ({ key, metaKey }: Pick<KeyboardEvent, 'key' | 'metaKey'>): boolean => key === 'Meta' || metaKey;

/** Returns the intent of the pressed keys; opposite ones cancel out. */
export function keysIntent(down: ReadonlySet<string>): DriveIntent {
  const intent = { forward: 0, left: 0, turnLeft: 0 };
  for (const code of down) {
    const { forward = 0, left = 0, turnLeft = 0 } = KEYS[code] ?? {};
    intent.forward += forward;
    intent.left += left;
    intent.turnLeft += turnLeft;
  }
  const sign = (value: number): number => Math.sign(value) || 0;
  return { forward: sign(intent.forward), left: sign(intent.left), turnLeft: sign(intent.turnLeft) };
}
