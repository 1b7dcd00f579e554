import { HOLDER_ASK_EVERY_MS, HOLDER_GONE_AFTER_MS, type RobotHolder } from '../protocol/room/holder-question.ts';
import type { PlatformHolder } from './holder-service.ts';
import type { TabLock } from './tab-lock.ts';

export interface HolderWait {
  /** The lock that the tab of this browser holds which is the robot. */
  lockName: string;
  lock: Pick<TabLock, 'waitFor'>;
  /** Asks the platform who else is the robot; null if it does not answer. */
  ask(): Promise<PlatformHolder | null>;
  pause(ms: number): Promise<void>;
  nowMs(): number;
  /** Another holds the robot, as of now. */
  onHolder(holder: RobotHolder): void;
  /** The robot is free, or its holder is dead: then its place may be taken. */
  onFree(isHolderDead: boolean): void;
}

/** Waits until no tab of this browser holds the robot. The browser answers, so this costs nothing. */
export async function waitForTab({ lockName, lock, onFree }: HolderWait, signal: AbortSignal): Promise<void> {
  if ((await lock.waitFor(lockName, signal)) && !signal.aborted) onFree(false);
}

/**
 * Waits until no page of another browser and no program holds the robot. A live holder keeps it, also while it is away for
 * up to {@link HOLDER_GONE_AFTER_MS}.
 */
export async function waitForOthers({ ask, pause, nowMs, onHolder, onFree }: HolderWait, signal: AbortSignal): Promise<void> {
  let freeSinceMs: number | null = null;
  while (!signal.aborted) {
    await pause(HOLDER_ASK_EVERY_MS);
    if (signal.aborted) return;
    const holderAnswer = await ask();
    if (signal.aborted) return;
    if (holderAnswer === null || holderAnswer.holder) freeSinceMs = null;
    else freeSinceMs ??= nowMs();
    if (holderAnswer?.holder) onHolder(holderAnswer.holder);
    const isFree = freeSinceMs !== null && nowMs() - freeSinceMs >= HOLDER_GONE_AFTER_MS;
    if (isFree || holderAnswer?.holder?.is_dead) return onFree(!isFree);
  }
}
