import { useEffect, useRef, useState } from 'react';
import { wrapRad } from '../../../protocol/wire/geometry.ts';
import type { RuntimeState } from '../../../protocol/wire/state.ts';
import { useEngine } from '../common/engine-context.ts';
import type { DriveVelocity } from './drive-core.ts';

/** Measured speed of the base: metres and radians per simulated second. */
export interface MeasuredSpeed {
  linearMps: number;
  angularRps: number;
}

/** Returns the yaw of a pose, radians; zero for a pose without a heading. */
const yawOf = ({ robot }: RuntimeState): number => ((robot.pose.yaw_deg ?? 0) * Math.PI) / 180;

/** Returns the speed between two states; null when no time has passed, or too much. */
function speedBetween(before: RuntimeState | null, now: RuntimeState): MeasuredSpeed | null {
  if (!before) return null;
  const elapsedS = now.timestamp.sim_time_s - before.timestamp.sim_time_s;
  if (!(elapsedS > 0) || elapsedS > LONGEST_S) return null;
  const [x, y] = now.robot.pose.position;
  const [fromX, fromY] = before.robot.pose.position;
  return {
    linearMps: Math.hypot(x - fromX, y - fromY) / elapsedS,
    angularRps: Math.abs(wrapRad(yawOf(now) - yawOf(before))) / elapsedS,
  };
}

const LONGEST_S = 2;

/**
 * Returns the speed to show after a new state.
 * @returns null while the robot reports no state: its last speed is not its current one
 */
export function speedToShow(
  shown: MeasuredSpeed | null,
  before: RuntimeState | null,
  now: RuntimeState | null,
): MeasuredSpeed | null {
  if (now === null) return null;
  if (now === before) return shown;
  const measured = speedBetween(before, now);
  if (measured === null) return shown;
  return shown !== null && sameToRead(shown, measured) ? shown : measured;
}

/** Returns the current speed of the base, ten times a second; null while it is unknown. */
export function useMeasuredSpeed(): MeasuredSpeed | null {
  const { store } = useEngine();
  const [speed, setSpeed] = useState<MeasuredSpeed | null>(null);
  useEffect(
    () => store.subscribe(({ runtime }, before) => setSpeed((shown) => speedToShow(shown, before.runtime, runtime))),
    [store],
  );
  return speed;
}

const sameToRead = (one: MeasuredSpeed, other: MeasuredSpeed): boolean =>
  one.linearMps.toFixed(2) === other.linearMps.toFixed(2) && one.angularRps.toFixed(2) === other.angularRps.toFixed(2);

/** Slower than this share of the requested speed means that something blocks the robot. */
const HELD_SHARE = 0.2;
const HELD_FOR_S = 0.8;
const WALKS_FROM_MPS = 0.1;

/** Returns whether the robot is asked to walk and does not move. The moment of starting does not count. */
export function useHeldBack(wanted: DriveVelocity): boolean {
  const { store } = useEngine();
  const askedMps = Math.hypot(wanted.vx, wanted.vy);
  const since = useRef<number | null>(null);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    since.current = null;
    setHeld(false);
    if (askedMps < WALKS_FROM_MPS) return;
    return store.subscribe(({ runtime }, before) => {
      if (!runtime || runtime === before.runtime) return;
      const measured = speedBetween(before.runtime, runtime);
      const nowS = runtime.timestamp.sim_time_s;
      if (!measured || measured.linearMps > HELD_SHARE * askedMps) since.current = null;
      else since.current ??= nowS;
      setHeld(since.current !== null && nowS - since.current > HELD_FOR_S);
    });
  }, [store, askedMps]);
  return held;
}
