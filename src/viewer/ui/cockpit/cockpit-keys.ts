import type { ArmSide } from './arm-pose.ts';
import { PRESETS, type Preset } from './presets.ts';

/** The command of a key in the cockpit. */
export type CockpitCommand =
  | { kind: 'toggle' }
  | { kind: 'preset'; preset: Preset }
  | { kind: 'arm'; side: ArmSide }
  | { kind: 'joint'; by: 1 | -1 }
  | { kind: 'nudge'; by: 1 | -1 };

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'repeat'>;

/**
 * Returns the command of a key, or null for a key that the cockpit does not use. Letters are read by their character, digits by
 * their position.
 * @param inArms whether arm mode is on; outside of it arrows drive, and digits belong to the view
 */
export function cockpitKeyCommand({ key, code, repeat }: Key, inArms: boolean): CockpitCommand | null {
  const letter = key.toLowerCase();
  if (letter === 'm') return repeat ? null : { kind: 'toggle' };
  if (!inArms) return null;
  switch (code) {
    case 'ArrowLeft':
      return { kind: 'joint', by: -1 };
    case 'ArrowRight':
      return { kind: 'joint', by: 1 };
    case 'ArrowUp':
      return { kind: 'nudge', by: 1 };
    case 'ArrowDown':
      return { kind: 'nudge', by: -1 };
  }
  if (letter === 'r') return { kind: 'arm', side: 'r_arm' };
  if (letter === 'l') return { kind: 'arm', side: 'l_arm' };
  const preset = PRESETS[Number(/^(?:Digit|Numpad)([1-5])$/.exec(code)?.[1] ?? 0) - 1];
  return preset === undefined || repeat ? null : { kind: 'preset', preset };
}
