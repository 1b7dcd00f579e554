import '../../styles/tasks.css';
import { Circle, CircleCheck, Download, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { capitalise } from '../../../common/capitalise.ts';
import { REPLAY_PAGE } from '../../../protocol/service/replay-page.ts';
import { VERDICT_TEXTS } from '../../../protocol/texts/task-texts.ts';
import { tabItems } from '../../engine/browser-storage.ts';
import { forgetHanded, handProof } from '../../engine/tab-storage.ts';
import type { TaskOfTab } from '../../engine/types.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { decimal, wholeSeconds } from '../common/format.ts';
import { saveAs } from '../console/download.ts';

/** The task of this tab's robot: its goal, progress and cost, and at the end the proof. */
export function TaskPanel() {
  const task = useViewer((state) => state.task);
  if (!task) return null;
  const { file, verdict, isDecided } = task;
  return (
    <div className="task stack gap-3">
      <h2 className="task-title">{file.title}</h2>
      <p className="task-words">{file.instruction.default}</p>
      {verdict && isDecided && (
        <p className={`task-verdict stack task-${verdict.outcome}`} role="status" data-testid="verdict">
          <strong>{verdict.outcome === 'passed' ? 'Passed' : 'Failed'}.</strong> {VERDICT_TEXTS[verdict.reason]}
        </p>
      )}
      {task.missing.length > 0 && (
        <ul className="task-missing">
          {task.missing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {verdict && verdict.simulated_s === 0 && <p className="task-words">The clock starts with your first action.</p>}
      {verdict && <Progress task={{ ...task, verdict }} />}
      <details className="muted">
        <summary>In other words</summary>
        <p>{file.instruction.specific}</p>
      </details>
      <TaskButtons task={task} />
    </div>
  );
}

function Progress({ task: { file, verdict } }: { task: TaskOfTab & { verdict: NonNullable<TaskOfTab['verdict']> } }) {
  const { budgets } = file;
  return (
    <>
      <ul className="task-steps stack">
        {verdict.subgoals.map(({ title, reached_at_step: step }) => (
          <Step key={title} title={title} isReached={step !== null} />
        ))}
        <Step title="the goal" isReached={verdict.outcome === 'passed'} share={verdict.share} />
      </ul>
      <dl className="task-costs stack gap-1">
        <div>
          <dt>Actions</dt>
          <dd>
            {verdict.calls} of {budgets.calls}
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>
            {wholeSeconds(verdict.simulated_s * 1000)} of {wholeSeconds(budgets.simulated_s * 1000)}
          </dd>
        </div>
      </dl>
    </>
  );
}

function Step({ title, isReached, share }: { title: string; isReached: boolean; share?: number }) {
  return (
    <li className="row">
      {isReached ? (
        <CircleCheck size={18} aria-hidden className="text-good" />
      ) : (
        <Circle size={18} aria-hidden className="text-faint" />
      )}
      {capitalise(title)}
      <span className="visually-hidden">{isReached ? 'reached' : 'not reached yet'}</span>
      {!isReached && share !== undefined && share > 0 && <span className="task-share">{decimal(share * 100, 0)} %</span>}
    </li>
  );
}

function TaskButtons({ task }: { task: TaskOfTab }) {
  const { file, seed, isDecided } = task;
  const engine = useEngine();
  const [problem, setProblem] = useState<string | null>(null);
  const withProof = async (use: (text: string) => void) => {
    const outcome = await engine.tasks?.proof();
    if (outcome?.ok) use(outcome.text);
    setProblem(outcome && !outcome.ok ? outcome.problem : null);
  };
  const name = `${file.id}-seed-${seed}.json`;
  return (
    <>
      <div className="cluster">
        {isDecided && (
          <>
            <button type="button" className="button button-main" onClick={() => void withProof((text) => saveAs(name, text))}>
              <Download size={14} aria-hidden />
              Save the proof
            </button>
            <button
              type="button"
              className="button"
              onClick={() => void withProof((text) => showAgain(name, text) || setProblem(NOT_SHOWN))}
            >
              <Play size={14} aria-hidden />
              Watch it again
            </button>
          </>
        )}
        <button type="button" className="button" onClick={() => engine.tasks?.play(task, seed)}>
          <RotateCcw size={14} aria-hidden />
          Begin again
        </button>
        <button type="button" className="button" onClick={() => engine.tasks?.play(task, seed + 1)}>
          Another layout
        </button>
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  );
}

const NOT_SHOWN = 'The browser did not open the replay page. Save the proof, and open it there.';

/**
 * Shows a run on the replay page in a new tab, which begins with a copy of this tab's storage, including the proof left for it.
 */
function showAgain(name: string, text: string): boolean {
  if (!handProof(tabItems, name, text)) return false;
  const opened = window.open(REPLAY_PAGE);
  forgetHanded(tabItems);
  return opened !== null;
}
