import * as portable from '../common/portable-math.ts';
import { degToRad } from '../protocol/wire/geometry.ts';
import type { Obstacle } from '../protocol/wire/scene.ts';

/** A turn about a middle on the floor plane: of a box whose sides do not run along the world's axes. */
export interface Turn {
  readonly x: number;
  readonly y: number;
  readonly yawRad: number;
  readonly cos: number;
  readonly sin: number;
}

/** Returns the turn of a box, or null when its sides run along the world's axes. */
export function turnOf({ pose: { position, yaw_deg: yawDeg = 0 } }: Pick<Obstacle, 'pose'>): Turn | null {
  if (yawDeg === 0) return null;
  const yawRad = degToRad(yawDeg);
  return { x: position[0], y: position[1], yawRad, cos: portable.cos(yawRad), sin: portable.sin(yawRad) };
}

/** Turns a point back with the box, so that the box's sides run along the axes; returns the same point for a box that is not turned. */
export function turnedBack(turn: Turn | null, point: { x: number; y: number }): { x: number; y: number } {
  if (turn === null) return point;
  const [dx, dy] = [point.x - turn.x, point.y - turn.y];
  return { x: turn.x + turn.cos * dx + turn.sin * dy, y: turn.y + turn.cos * dy - turn.sin * dx };
}

/** The reverse: turns a point from beside the straight box to beside the turned one. */
export function turnedOn(turn: Turn | null, point: { x: number; y: number }): { x: number; y: number } {
  if (turn === null) return point;
  const [dx, dy] = [point.x - turn.x, point.y - turn.y];
  return { x: turn.x + turn.cos * dx - turn.sin * dy, y: turn.y + turn.sin * dx + turn.cos * dy };
}
