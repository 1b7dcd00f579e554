import type { Fault } from '../protocol/files/task-file.ts';
import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import { nextInt } from '../simulation/random.ts';
import { drawOccasions, faultRandom } from './faults.ts';

/**
 * Faults between agent and robot. They do not change the world: a reply comes late or never, and a command that is rejected as
 * busy is not carried out. A proof therefore contains only the task that names them.
 */
export interface LinkFaults {
  /** A command has come. @returns whether it is refused as if the robot were busy */
  isBusy(): boolean;
  /** Returns a reply that behaves as the link does. */
  reply(answer: (text: string) => void): (text: string) => void;
  /** A step was made: delivers what is late. */
  afterStep(): void;
}

/** Occasions in which one of so many faults falls. */
const among = (times: number): number => 2 * times + 2;

/** Makes the faults that happen to calls and replies. @param seed decides which of them */
export function createLinkFaults(faults: readonly Fault[], seed: number): LinkFaults {
  const random = (at: number) => faultRandom(seed, at);
  const struckBy = (kind: 'reply_lost' | 'robot_busy'): ReadonlySet<number> => {
    const at = faults.findIndex((fault) => fault.kind === kind);
    const fault = faults[at];
    return fault?.kind === kind ? drawOccasions(random(at), fault.times ?? 1, among(fault.times ?? 1)) : new Set();
  };
  const lost = struckBy('reply_lost');
  const busy = struckBy('robot_busy');
  const slowAt = faults.findIndex(({ kind }) => kind === 'slow_link');
  const slow = faults[slowAt];
  const delay =
    slow?.kind === 'slow_link' ? { steps: Math.round(slow.delay_s * STEPS_PER_SECOND), random: random(slowAt) } : null;
  let commands = 0;
  let replies = 0;
  let late: { inSteps: number; deliver: () => void }[] = [];
  return {
    isBusy() {
      commands += 1;
      return busy.has(commands);
    },
    reply(answer) {
      replies += 1;
      const isLost = lost.has(replies);
      return (text) => {
        if (isLost) return;
        if (delay === null) {
          answer(text);
          return;
        }
        // From half to one and a half times the delay.
        const inSteps = Math.round(delay.steps * (0.5 + nextInt(delay.random, 1_001) / 1_000));
        late.push({ inSteps, deliver: () => answer(text) });
      };
    },
    afterStep() {
      if (late.length === 0) return;
      for (const one of late) one.inSteps -= 1;
      const due = late.filter(({ inSteps }) => inSteps <= 0);
      late = late.filter(({ inSteps }) => inSteps > 0);
      for (const { deliver } of due) deliver();
    },
  };
}
