import { quoted, shownName } from '../../common/shown-text.ts';
import type { ControlOrderResult, Robot } from '../../protocol/service/control-service.ts';
import type { EmergencyStopResult } from '../../protocol/wire/emergency-stop.ts';
import { useToast } from '../ui/common/Toasts.tsx';
import { attempt, type Problem } from './account.ts';
import { nameText } from './robot-texts.ts';
import { useAccount, useRobotsStore } from './store-context.ts';

/** The reason shown to people who find the robot stopped. */
const STOP_REASON = 'Pressed on the page of all robots';
const RELEASE = 'It can be released at the robot’s page, or at the machine of its worker.';

/** Returns a title and an instruction on the result of an emergency stop. */
export function stoppedText(
  name: string,
  { stands, runtimes }: Pick<EmergencyStopResult, 'stands' | 'runtimes'>,
): [string, string] {
  if (stands === null)
    return [`The emergency stop of ${name} is latched`, `The robot is offline. It is stopped as soon as it is back. ${RELEASE}`];
  if (stands) return [`${name} stands`, `Its emergency stop is latched. ${RELEASE}`];
  const problem = runtimes.find((one) => one.problem !== null)?.problem ?? '';
  return [
    `Look at ${name}: it does not report that it stands`,
    `Its emergency stop is latched, and it may still move. ${problem}`.trim(),
  ];
}

/** Returns a title and an explanation of who drives after an order to stop driving. */
export function drivenText(name: string, { driver }: Pick<ControlOrderResult, 'driver'>): [string, string] {
  if (driver === null)
    return [`No one drives ${name} now`, 'Every participant in the room may command it until one takes it again.'];
  return [
    `${quoted(shownName(driver.name))} has ${name} again`,
    'It took the robot back at once. Press the emergency stop, or take the robot yourself.',
  ];
}

/**
 * The owner's actions in the list of all robots, independent of the driver. The result is shown as a toast, because the card may
 * be out of sight by then.
 */
export function useOwnerHands(robot: Robot): { stop: () => void; putDriverOut: () => void } {
  const account = useAccount();
  const store = useRobotsStore();
  const toast = useToast();
  const name = nameText(robot);
  const fail = (title: string, problem: Problem): void => {
    if (problem.kind === 'key-refused') store.forget({ text: problem.text, isProblem: true });
    else toast(title, problem.text);
  };
  return {
    stop: () => {
      toast(`Stopping ${name} …`, 'Its emergency stop is pressed. This page shows when the robot stands.');
      void attempt(account.robots.emergencyStop(robot.id, { reason: STOP_REASON })).then((result) => {
        if (result.ok) toast(...stoppedText(name, result.value));
        else fail(`The emergency stop of ${name} did not get through`, result.problem);
        store.look();
      });
    },
    putDriverOut: () =>
      void attempt(account.robots.releaseControl(robot.id)).then((result) => {
        if (result.ok) toast(...drivenText(name, result.value));
        else fail(`${name} may still have its driver`, result.problem);
        store.look();
      }),
  };
}
