import type { ArmSide } from './arm-pose.ts';
import { PRESETS, type Preset } from './presets.ts';

/** What a key does in the cockpit. */
export type CockpitKeyDeed =
  | { kind: 'toggle' }
  | { kind: 'preset'; preset: Preset }
  | { kind: 'arm'; side: ArmSide }
  | { kind: 'joint'; by: 1 | -1 }
  | { kind: 'nudge'; by: 1 | -1 };

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'repeat'>;

/**
 * The deed of a key, or null for one that is none of the cockpit's. Letters are taken as they are named, figures as they lie.
 * @param inArms is arm mode on? Outside of it arrows drive and figures are the view's
 */
export function cockpitKeyDeed({ key, code, repeat }: Key, inArms: boolean): CockpitKeyDeed | null {
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
