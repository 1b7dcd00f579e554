import '../../styles/tasks.css';
import { CircleCheck, CircleX, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Verdict } from '../../../protocol/files/verdict.ts';
import { VERDICT_TEXTS } from '../../../protocol/texts/task-texts.ts';
import { noteSolved, solvedTasks } from '../../engine/tasks/solved-tasks.ts';
import { nextTask } from '../../engine/tasks/task-list.ts';
import type { TaskOfTab } from '../../engine/types.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useUi, useUiStore } from '../common/ui-store.ts';
import { useBeginTask } from './use-begin-task.ts';

/** Shows how the task of this tab ended, wherever the person is, and offers the next step. Stores that a task is solved. */
export function TaskNotice() {
  const task = useViewer((state) => state.task);
  const hasPassed = task?.isDecided === true && task.verdict?.outcome === 'passed';
  // A file may give its task the id of a built-in one.
  const passedId = hasPassed && task.address === task.file.id ? task.file.id : null;
  useEffect(() => {
    if (passedId !== null) noteSolved(passedId);
  }, [passedId]);
  const [closed, setClosed] = useState<Verdict | null>(null);
  if (task === null || !task.isDecided || task.verdict === null || task.verdict === closed) return null;
  const { verdict } = task;
  return <Ended task={task} verdict={verdict} onClose={() => setClosed(verdict)} />;
}

function Ended({ task, verdict, onClose }: { task: TaskOfTab; verdict: Verdict; onClose: () => void }) {
  const engine = useEngine();
  const ui = useUiStore();
  const isShown = useUi(({ panelOpen, tab }) => panelOpen && tab === 'task');
  const hasPassed = verdict.outcome === 'passed';
  return (
    <div className="notice task-notice" data-outcome={verdict.outcome} data-testid="task-ended">
      {hasPassed ? <CircleCheck size={18} aria-hidden /> : <CircleX size={18} aria-hidden />}
      <p role="status">
        <strong>
          {hasPassed ? 'Passed' : 'Failed'}: {task.file.title}.
        </strong>{' '}
        {hasPassed ? costText(verdict) : VERDICT_TEXTS[verdict.reason]}
      </p>
      <span className="notice-buttons">
        {hasPassed ? (
          <NextButton task={task} />
        ) : (
          <button type="button" className="button" onClick={() => engine.tasks?.play(task, task.seed)}>
            Try again
          </button>
        )}
        {!isShown && (
          <button type="button" className="button" onClick={() => ui.setState({ tab: 'task', panelOpen: true })}>
            Show the task
          </button>
        )}
        <button type="button" className="icon-button icon-button-small" aria-label="Close this notice" onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </span>
    </div>
  );
}

/** Begins the next unsolved task. */
function NextButton({ task: { file } }: { task: TaskOfTab }) {
  const begin = useBeginTask();
  const next = nextTask(file.id, new Set([...solvedTasks(), file.id]));
  if (next === null) return <span>Every task is solved.</span>;
  return (
    <button type="button" className="button button-main" onClick={() => begin(next)}>
      Next: {next.title}
    </button>
  );
}

const costText = ({ calls, simulated_s: simulatedS }: Verdict): string =>
  `It took ${calls} ${calls === 1 ? 'action' : 'actions'} and ${wholeSeconds(simulatedS * 1_000)}.`;
