/**
 * A velocity that an operator holds, renewed as an operator's page does, over a line that is cut. Measures how long the robot
 * continues to drive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_LINK } from '../../tests/sfu-link/sfu-link.ts';
import type { NetworkStand } from './stand.ts';

const RENEW_EVERY_MS = 250;
const ENDS_AFTER_S = 1;
const HELD_FOR_MS = 1_500;
const CUT_FOR_MS = 3_000;
/** A connection that was silent may have to be re-established before it carries anything again. */
const STOPPED_WITHIN_MS = 60_000;

/** @returns from the cut until no velocity is held, milliseconds */
export async function driveAndCut(stand: NetworkStand): Promise<number> {
  const hand = setInterval(() => {
    stand.operator.invoke('set_velocity', { vx: 0.2 }, { deadlineS: ENDS_AFTER_S, timeoutMs: CUT_FOR_MS }).catch(() => undefined);
  }, RENEW_EVERY_MS);
  while (!(await holds(stand))) await sleep(RENEW_EVERY_MS / 10);
  await sleep(HELD_FOR_MS);
  while (!(await holds(stand))) await sleep(RENEW_EVERY_MS / 10);
  stand.link.set({ silent: 'both' });
  const cutMs = Date.now();
  while (await holds(stand)) await sleep(RENEW_EVERY_MS / 10);
  const drivenMs = Date.now() - cutMs;
  // The operator releases the control while the line is cut.
  clearInterval(hand);
  const stopped = stand.operator.invoke('stop', {}, { timeoutMs: STOPPED_WITHIN_MS });
  stopped.catch(() => undefined);
  await sleep(Math.max(0, CUT_FOR_MS - drivenMs));
  // Packets still in transit over the bad line are not part of this measurement.
  stand.link.set(GOOD_LINK);
  await stopped;
  return drivenMs;
}

const holds = async (stand: NetworkStand): Promise<boolean> => (await stand.state()).robot.extra.control?.velocity_holds === true;
