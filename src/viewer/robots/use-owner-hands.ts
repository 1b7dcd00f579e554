import type { Robot } from '../../protocol/control-service.ts';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
import { useToast } from '../ui/common/Toasts.tsx';
import type { Problem } from './account-service.ts';
import { useAccount, useDesk } from './desk-context.ts';
import { nameWords } from './robot-words.ts';

const RELEASE = 'A person at its page releases it, or one at the machine of its worker.';

/** Says what a press of the emergency stop has done: a title, and what to do. */
export function stoppedWords(
  name: string,
  { stands, runtimes }: Pick<EmergencyStopResult, 'stands' | 'runtimes'>,
): [string, string] {
  if (stands === null)
    return [
      `The emergency stop of ${name} is latched`,
      `Nobody is the robot just now. Whoever becomes it is stopped. ${RELEASE}`,
    ];
  if (stands) return [`${name} stands`, `Its emergency stop is latched. ${RELEASE}`];
  const problem = runtimes.find((one) => one.problem !== null)?.problem ?? '';
  return [
    `Look at ${name}: it does not say that it stands`,
    `Its emergency stop is latched, and it may still move. ${problem}`.trim(),
  ];
}

/** What an owner does from the list of all robots, whoever drives. What became of it is a toast, for the card may be out of sight by then. */
export function useOwnerHands(robot: Robot): { stop: () => void; putDriverOut: () => void } {
  const account = useAccount();
  const desk = useDesk();
  const toast = useToast();
  const name = nameWords(robot);
  const fail = (title: string, problem: Problem): void => {
    if (problem.kind === 'key_refused') desk.forget({ words: problem.words, isProblem: true });
    else toast(title, problem.words);
  };
  return {
    stop: () =>
      void account.emergencyStop(robot.id).then((result) => {
        if (result.ok) toast(...stoppedWords(name, result.value));
        else fail(`The emergency stop of ${name} did not get through`, result.problem);
        desk.look();
      }),
    putDriverOut: () =>
      void account.putDriverOut(robot.id).then((result) => {
        if (result.ok)
          toast(`Nobody drives ${name} now`, 'The robot stands, and whoever calls commands. A program may take it again.');
        else fail(`It is not sure who drives ${name}`, result.problem);
        desk.look();
      }),
  };
}
