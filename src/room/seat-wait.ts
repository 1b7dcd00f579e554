import { SEAT_ASK_EVERY_MS, SEAT_FREE_AFTER_MS, type SeatHolder } from '../protocol/seat-question.ts';
import type { PlatformSeat } from './seat-service.ts';
import type { TabLock } from './tab-lock.ts';

export interface SeatWait {
  /** The lock that the tab of this browser holds which is the robot. */
  lockName: string;
  lock: Pick<TabLock, 'waitFor'>;
  /** Asks the platform who else is the robot; null if it does not answer. */
  ask(): Promise<PlatformSeat | null>;
  pause(ms: number): Promise<void>;
  nowMs(): number;
  /** Another holds the robot, as of now. */
  onHolder(holder: SeatHolder): void;
  /** The robot is free, or its holder is dead: then its place may be taken. */
  onFree(isHolderDead: boolean): void;
}

/** Waits until no tab of this browser holds the robot. The browser answers, so this costs nothing. */
export async function waitForTab({ lockName, lock, onFree }: SeatWait, signal: AbortSignal): Promise<void> {
  if ((await lock.waitFor(lockName, signal)) && !signal.aborted) onFree(false);
}

/**
 * Waits until no page of another browser and no program holds the robot. A live holder keeps it, also while it is away for
 * up to {@link SEAT_FREE_AFTER_MS}.
 */
export async function waitForOthers({ ask, pause, nowMs, onHolder, onFree }: SeatWait, signal: AbortSignal): Promise<void> {
  let freeSinceMs: number | null = null;
  while (!signal.aborted) {
    await pause(SEAT_ASK_EVERY_MS);
    if (signal.aborted) return;
    const seat = await ask();
    if (signal.aborted) return;
    if (seat === null || seat.holder) freeSinceMs = null;
    else freeSinceMs ??= nowMs();
    if (seat?.holder) onHolder(seat.holder);
    const isFree = freeSinceMs !== null && nowMs() - freeSinceMs >= SEAT_FREE_AFTER_MS;
    if (isFree || seat?.holder?.is_dead) return onFree(!isFree);
  }
}
