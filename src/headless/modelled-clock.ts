import { STEP_S } from '../protocol/wire/limits.ts';

/** The moment at which every simulation in process begins: the same for all, so that the same calls give the same replies. */
const BEGINS_AT_MS = Date.UTC(2026, 0, 1);

/** Time that steps alone move. */
export interface ModelledClock {
  /** Whole milliseconds since the epoch. */
  nowMs(): number;
  /** One step is made. @param speed simulated seconds per second of this clock */
  tick(speed: number): void;
}

export function createModelledClock(): ModelledClock {
  let passedMs = 0;
  return {
    nowMs: () => Math.round(BEGINS_AT_MS + passedMs),
    tick(speed) {
      passedMs += (STEP_S * 1_000) / speed;
    },
  };
}
