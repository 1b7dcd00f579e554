import { cos, sin } from '../../common/portable-math.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import type { Channel } from '../motion.ts';
import type { BaseGrip } from './arm.ts';
import type { PickerBody } from './state.ts';

/** Returns a grip of the world in the frame of a base. */
export function gripInBase(base: PlanarPose, { x, y, yawRad, ...rest }: BaseGrip): BaseGrip {
  const [dx, dy] = [x - base.x, y - base.y];
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  return { ...rest, x: c * dx + s * dy, y: c * dy - s * dx, yawRad: wrapRad(yawRad - base.yawRad) };
}

/** Returns the commanded grip, base frame. */
export function baseGripOf({ base, frame, grip: { x, y, z, yaw, opening } }: PickerBody): BaseGrip {
  const grip = { x: x.value, y: y.value, z: z.value, yawRad: yaw.value, openingM: opening.value };
  return frame === 'base' ? grip : gripInBase(base, grip);
}

/** Turns two numbers of a place, or of a motion, about the origin. */
function turn(x: Channel, y: Channel, key: 'value' | 'goal' | 'velocity' | 'acceleration', c: number, s: number): void {
  const [wasX, wasY] = [x[key], y[key]];
  x[key] = c * wasX - s * wasY;
  y[key] = s * wasX + c * wasY;
}

/** Expresses the grip and its motion in the frame of a base from now on. */
export function toBaseFrame(body: PickerBody, base: PlanarPose): void {
  if (body.frame === 'base') return;
  const { x, y, yaw } = body.grip;
  for (const key of ['value', 'goal'] as const) {
    x[key] -= base.x;
    y[key] -= base.y;
    yaw[key] -= base.yawRad;
  }
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  for (const key of ['value', 'goal', 'velocity', 'acceleration'] as const) turn(x, y, key, c, -s);
  const wraps = yaw.value - wrapRad(yaw.value);
  yaw.value -= wraps;
  yaw.goal -= wraps;
  body.frame = 'base';
}

/** Expresses the grip and its motion in the world's frame from now on. */
export function toWorldFrame(body: PickerBody): void {
  const { base } = body;
  Object.assign(body.anchor, base);
  if (body.frame === 'world') return;
  const { x, y, yaw } = body.grip;
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  for (const key of ['value', 'goal', 'velocity', 'acceleration'] as const) turn(x, y, key, c, s);
  for (const key of ['value', 'goal'] as const) {
    x[key] += base.x;
    y[key] += base.y;
    yaw[key] += base.yawRad;
  }
  body.frame = 'world';
}
