import { CircleStop } from 'lucide-react';
import { capitalise } from '../../common/capitalise.ts';
import { VERDICT_TEXTS } from '../../protocol/texts/task-texts.ts';
import type { FilmedAction } from '../engine/replay/replay-messages.ts';
import { useRobotWords } from '../ui/common/robot-words.ts';
import { actionTitle } from '../ui/common/texts.ts';
import { OutcomeIcon } from '../ui/values/OutcomeIcon.tsx';
import { useReplay, useReplayEngine } from './replay-context.ts';
import { costText, factRows, isOver, judgedText, momentText, saidOfAction } from './replay-texts.ts';

/** The result of the check, the facts of the run, and its actions. */
export function RunPanel() {
  const facts = useReplay((state) => state.facts);
  const fileName = useReplay((state) => state.fileName);
  const title = useReplay((state) => judgedText(state).title);
  const text = useReplay((state) => judgedText(state).text);
  const tone = useReplay((state) => judgedText(state).tone);
  const falseAtStep = useReplay(({ judgement }) => (judgement?.is === 'false' ? judgement.atStep : null));
  const actions = useReplay((state) => state.actions);
  const engine = useReplayEngine();
  return (
    <aside className="side-panel surface run-panel" aria-label="The run">
      <section className={`judged stack judged-${tone}`} aria-labelledby="judged-title">
        <h2 id="judged-title">{title}</h2>
        <p>{text}</p>
        {falseAtStep !== null && falseAtStep > 0 && (
          <button type="button" className="button" onClick={() => engine.seek(falseAtStep)}>
            Go to that moment
          </button>
        )}
      </section>
      <TaskVerdict />
      {facts && (
        <dl className="run-facts stack gap-1">
          <div>
            <dt>File</dt>
            <dd>{fileName}</dd>
          </div>
          {factRows(facts).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <h2 className="run-title">What was done</h2>
      {actions.length === 0 ? (
        <p className="muted">Nothing was done in this run.</p>
      ) : (
        <ol className="run-actions">
          {actions.map((action) => (
            <RunAction key={action.record.actionId} action={action} />
          ))}
        </ol>
      )}
    </aside>
  );
}

function RunAction({ action: { record, fromStep, toStep } }: { action: FilmedAction }) {
  const engine = useReplayEngine();
  const robot = useRobotWords();
  const isNow = useReplay(({ positionStep }) => positionStep >= fromStep && (toStep === null || positionStep < toStep));
  const { outcome, word, reason } = saidOfAction(record, useReplay(isOver));
  return (
    <li>
      <button type="button" className="run-action list-button" aria-current={isNow} onClick={() => engine.seek(fromStep)}>
        {outcome === 'unended' ? <CircleStop size={18} aria-hidden /> : <OutcomeIcon outcome={outcome} />}
        <span className="cut">{actionTitle(record, robot)}</span>
        <span className="muted">{momentText(fromStep)}</span>
        <span className="visually-hidden">{word}</span>
        {reason && <span className="run-action-reason">{reason}</span>}
      </button>
    </li>
  );
}

/** The task of the run, and whether the replayed run solved it. */
function TaskVerdict() {
  const task = useReplay((state) => state.facts?.task ?? null);
  const verdict = useReplay((state) => state.verdict);
  const missing = useReplay((state) => state.missing);
  const engine = useReplayEngine();
  if (!task) return null;
  return (
    <section className="task-verdict stack" aria-labelledby="task-title">
      <h2 id="task-title" className="run-title">
        {task.title}
      </h2>
      <p>{task.instruction.default}</p>
      {verdict && (
        <>
          <p data-testid="verdict" className={verdict.outcome === 'passed' ? 'text-good' : 'text-bad'}>
            {verdict.outcome === 'passed' ? 'Passed' : 'Failed'}. {VERDICT_TEXTS[verdict.reason]}
          </p>
          {missing.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p className="muted">{costText(verdict)}</p>
          <ul className="run-actions">
            {verdict.subgoals.map(({ title, reached_at_step: step }) => (
              <TaskStep key={title} title={title} step={step} onGo={(at) => engine.seek(at)} />
            ))}
            <TaskStep
              title="The goal"
              step={verdict.outcome === 'passed' ? verdict.at_step : null}
              onGo={(at) => engine.seek(at)}
            />
          </ul>
        </>
      )}
    </section>
  );
}

function TaskStep({ title, step, onGo }: { title: string; step: number | null; onGo: (step: number) => void }) {
  return (
    <li>
      <button
        type="button"
        className="run-action list-button"
        disabled={step === null}
        onClick={() => step !== null && onGo(step)}
      >
        <OutcomeIcon outcome={step === null ? 'refused' : 'done'} />
        <span className="cut">{capitalise(title)}</span>
        <span className="muted">{step === null ? 'not reached' : momentText(step)}</span>
      </button>
    </li>
  );
}
