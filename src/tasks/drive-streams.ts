import { driverKey } from '../protocol/wire/driver.ts';
import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { SkillName } from '../protocol/wire/skills.ts';
import type { AcceptedAction } from '../runtime/action-record.ts';

const DRIVE: SkillName = 'set_velocity';
/** A command that renews a drive comes sooner than this after the previous one: a person at a stick sends four a second. */
const RENEWED_WITHIN_STEPS = STEPS_PER_SECOND;

/** Distinguishes streams of drive commands from single actions: a person at a stick does one thing, however many commands it takes. */
export interface DriveStreams {
  /** Notes an accepted action. @returns whether it only continues the drive of the previous action */
  goesOn(action: Pick<AcceptedAction, 'name' | 'caller'>, step: number): boolean;
}

export function createDriveStreams(): DriveStreams {
  let last: { key: string | null; step: number } | null = null;
  return {
    goesOn({ name, caller }, step) {
      const before = last;
      last = name === DRIVE ? { key: driverKey(caller), step } : null;
      return before !== null && last !== null && before.key === last.key && step - before.step <= RENEWED_WITHIN_STEPS;
    },
  };
}
