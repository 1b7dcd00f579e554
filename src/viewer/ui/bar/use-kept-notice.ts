import { useEffect, useRef } from 'react';
import { HUMANOID } from '../../../protocol/robots/humanoid.ts';
import type { RobotWords } from '../../../protocol/wire/robot.ts';
import type { InterruptedAction, WentOn } from '../../engine/types.ts';
import { useViewer } from '../common/engine-context.ts';
import { duration } from '../common/format.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { useToast } from '../common/Toasts.tsx';
import { actionTitle } from '../common/texts.ts';

/**
 * Reports lost work: how much is missing from a continued world, why a world starts from scratch, and at once when a world cannot
 * be stored.
 */
export function useKeptNotice(): void {
  // A page that waits for another tab's robot also has a world, but it is not the robot's.
  const wentOn = useViewer(({ phase, wentOn }) => (phase === 'live' ? wentOn : null));
  const isFailing = useViewer((state) => state.keeping === 'failing');
  const isStopLost = useViewer((state) => !state.stopIsKept);
  const robot = useRobotWords();
  const reported = useRef<WentOn | null>(null);
  const toast = useToast();
  useEffect(() => {
    if (wentOn === null || wentOn === reported.current) return;
    reported.current = wentOn;
    const said = (...sentences: string[]): string =>
      [...sentences, interruptedText(wentOn.interrupted, robot)].filter(Boolean).join(' ');
    if (wentOn.kind === 'restored') toast('The world continues where it was', said(missingTexts(wentOn.missingMs)));
    else toast('The world started again', said(restartText(wentOn.reason)));
  }, [wentOn, toast, robot]);
  useEffect(() => {
    if (isFailing) toast('A reload would lose this world', NOT_KEPT);
  }, [isFailing, toast]);
  useEffect(() => {
    if (isStopLost) toast('A reload would release the emergency stop', NOT_KEPT);
  }, [isStopLost, toast]);
}

/**
 * Makes the browser ask before it leaves a page whose world cannot be stored while something runs, or whose task a reload does
 * not restore.
 */
export function useLeaveQuestion(): void {
  const isAtRisk = useViewer(
    ({ keeping, runtime, task }) =>
      (keeping === 'failing' && runtime?.runtime.active_action !== undefined) ||
      (task?.address === null && (task.verdict?.simulated_s ?? 0) > 0),
  );
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
}

const missingTexts = (missingMs: number | null): string => {
  if (missingMs === null) return 'Only the last moment before is missing, a second at most.';
  const howMuch = missingMs < 100 ? 'less than 0.1 s' : duration(missingMs);
  return `The last ${howMuch} before the page went away ${missingMs < 100 ? 'is' : 'are'} missing.`;
};

const MOST_NAMED = 3;

/** Names the actions that ran when the world was left, each title once; empty if there were none. */
export function interruptedText(interrupted: readonly InterruptedAction[], robot: RobotWords = HUMANOID.words): string {
  const titles = [...new Set(interrupted.map((action) => `“${actionTitle(action, robot)}”`))];
  const more = titles.length - MOST_NAMED;
  const names = more > 0 ? [...titles.slice(0, MOST_NAMED), `${more} more`] : titles;
  if (names.length === 0) return '';
  return names.length === 1
    ? `${names[0]} was interrupted. Start it again if you still want it.`
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} were interrupted. Start them again if you still want them.`;
}

const ANEW = 'Robot and things are back at the start, with the same seed.';

const NOT_KEPT =
  'The browser stores nothing for this page: its storage is full or forbidden. Finish before you close or reload the page; it asks you while something runs.';
type AnewReason = (WentOn & { kind: 'begun-anew' })['reason'];
const WHY: Record<AnewReason, string> = {
  other_version: 'The world that was kept is from another version of this page.',
  other_profile: 'The robot of the world that was kept takes other commands than this one.',
  other_robot: 'The world that was kept is that of another kind of robot.',
  damaged: 'The world that was kept is damaged.',
  broken: 'Its physics had broken.',
  failed_again: 'The simulation had failed twice within a minute.',
  storage: 'The browser stored nothing for this page.',
  nothing_kept: 'It was not saved.',
};

/** Returns why a world does not continue, and where it is instead. */
export const restartText = (reason: AnewReason): string => `${WHY[reason]} ${ANEW}`;
