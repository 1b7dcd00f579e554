import { useState } from 'react';
import { guardSchema } from '../../../protocol/wire/action.ts';
import type { ActionView } from '../../engine/types.ts';
import { useContract } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { decimal, duration } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';
import { runningSkills, somethingMoves } from '../common/motion.ts';
import { useRobotWords } from '../common/robot-words.ts';
import { StopButton } from '../common/StopButton.tsx';
import { useToast } from '../common/Toasts.tsx';
import { actionTitle, callerName } from '../common/texts.ts';
import { useUi } from '../common/ui-store.ts';
import { HeldVelocityText, useHeldVelocity } from '../drive/HeldVelocity.tsx';

/** The running actions, each with its progress and a way to cancel it, and the stop button while anything moves. */
export function RunningBar() {
  const engine = useEngine();
  const actions = useViewer((state) => state.actions);
  const moves = useViewer(somethingMoves);
  const driving = useUi((state) => state.driving);
  // The drive panel shows the actions of the person at the joystick, with a stop button of its own.
  const running = runningSkills(actions).filter(({ stroke }) => !driving || stroke === undefined);
  const held = useHeldVelocity();
  const { controls } = useContract();
  // The cockpit has a stop button of its own, and shows who else moves the robot.
  if (!moves || (driving && (controls === 'cockpit' || running.length === 0))) return null;
  return (
    <section className="running surface" aria-label="Running now">
      {held && <HeldVelocityText />}
      {running.length > 0 && (
        <ul className="running-list stack gap-3">
          {running.map((action) => (
            <RunningRow key={action.actionId} action={action} />
          ))}
        </ul>
      )}
      <StopButton onStop={() => engine.stop()} />
    </section>
  );
}

function RunningRow({ action }: { action: ActionView }) {
  const robot = useRobotWords();
  const engine = useEngine();
  const toast = useToast();
  const caller = useViewer((state) => callerName(action.caller, state.known));
  const nowMs = useNow(100);
  const [cancelling, setCancelling] = useState(false);
  const { actionId, phase, progress, startedAtMs } = action;
  const title = actionTitle(action, robot);

  const cancel = async () => {
    setCancelling(true);
    try {
      const reply = guardSchema.safeParse(await engine.call('runtime.cancel', { options: { action_id: actionId } }));
      // An action that ended in the same moment needs no report; any other rejection is shown.
      const code = reply.data?.error.code;
      if (code !== undefined && code !== 'CANCELLED' && code !== 'ACTION_NOT_FOUND')
        toast(`${title} goes on`, reply.data?.error.message ?? '');
    } catch {
      toast(`${title} could not be cancelled`, 'The robot did not answer. Use the Stop button.');
    } finally {
      setCancelling(false);
    }
  };

  return (
    <li className="running-row columns">
      <div className="running-words">
        <p className="running-title" title={title}>
          {title}
        </p>
        <p className="running-phase muted" title={`by ${caller}`}>
          {[duration(nowMs - startedAtMs), phase, progress && progressText(progress), `by ${caller}`].filter(Boolean).join(' · ')}
        </p>
      </div>
      <button
        type="button"
        className="button"
        disabled={cancelling}
        onClick={() => void cancel()}
        aria-label={`Cancel: ${title}`}
      >
        {cancelling ? 'Cancelling' : 'Cancel'}
      </button>
      {progress && progress.total > 0 && !isOpenEnded(progress) ? (
        <progress
          className="progress"
          aria-label={`Progress of ${title}`}
          max={progress.total}
          value={Math.min(progress.current, progress.total)}
        />
      ) : (
        <progress className="progress progress-open" aria-label={`Progress of ${title}`} />
      )}
    </li>
  );
}

function progressText({ current, total, unit }: { current: number; total: number; unit: string }): string {
  if (isOpenEnded({ current, total })) return `${current} ${unit}`;
  const digits = Number.isInteger(current) && Number.isInteger(total) ? 0 : 1;
  return `${decimal(current, digits)} of ${decimal(total, digits)} ${unit}`;
}

/** Returns whether a count has no total, as with the packets of a trajectory session. */
const isOpenEnded = ({ current, total }: { current: number; total: number }): boolean => current === total;
