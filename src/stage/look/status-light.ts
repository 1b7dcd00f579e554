import { Color } from 'three';
import type { StatusLight } from '../types.ts';
import { PALETTE } from './palette.ts';

/** Colours of the robot's lights as people see them, sRGB hex: idle, working, after a failure. */
const STATUS_HEX: Record<StatusLight, number> = { idle: 0xc79bff, working: 0x4fdcff, failed: 0xff5a36 };
/** While the robot works its lights pulse, once in this many seconds. */
const BREATH_S = 1.6;
const BREATH_DEPTH = 0.3;

const _tuneLight_painted = new Color(PALETTE.accentGlow);

/**
 * Sets the colour by which a light's painted violet is multiplied.
 * @param timeS any steady clock; the pulse alone causes no drawing
 * @param gain how much light it takes to look like light
 */
export function tuneLight(colour: Color, statusLight: StatusLight, timeS: number, gain: number): void {
  const painted = _tuneLight_painted;
  colour.setHex(STATUS_HEX[statusLight]);
  const breath = statusLight === 'working' ? 1 - (BREATH_DEPTH / 2) * (1 - Math.cos((2 * Math.PI * timeS) / BREATH_S)) : 1;
  const scale = gain * breath;
  colour.setRGB((colour.r / painted.r) * scale, (colour.g / painted.g) * scale, (colour.b / painted.b) * scale);
}
