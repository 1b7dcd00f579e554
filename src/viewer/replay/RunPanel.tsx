import type { FilmedAction } from '../engine/replay/replay-messages.ts';
import { OUTCOME_WORDS, outcomeOfAction } from '../ui/common/outcomes.ts';
import { useRobotWords } from '../ui/common/robot-words.ts';
import { actionTitle } from '../ui/common/words.ts';
import { OutcomeIcon } from '../ui/values/OutcomeIcon.tsx';
import { useReplay, useReplayEngine } from './replay-context.ts';
import { factRows, judgedWords, momentWords } from './replay-words.ts';

/** What became of the proof, what run it is, and what was done in it. */
export function RunPanel() {
  const facts = useReplay((state) => state.facts);
  const fileName = useReplay((state) => state.fileName);
  const title = useReplay((state) => judgedWords(state).title);
  const text = useReplay((state) => judgedWords(state).text);
  const tone = useReplay((state) => judgedWords(state).tone);
  const falseAtStep = useReplay(({ judgement }) => (judgement?.is === 'false' ? judgement.atStep : null));
  const actions = useReplay((state) => state.actions);
  const engine = useReplayEngine();
  return (
    <aside className="side-panel run-panel" aria-label="The run">
      <section className={`judged judged-${tone}`} aria-labelledby="judged-title">
        <h2 id="judged-title">{title}</h2>
        <p>{text}</p>
        {falseAtStep !== null && falseAtStep > 0 && (
          <button type="button" className="button" onClick={() => engine.seek(falseAtStep)}>
            Go to that moment
          </button>
        )}
      </section>
      {facts && (
        <dl className="run-facts">
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
        <p className="run-nothing">Nothing was done in this run.</p>
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
  const outcome = outcomeOfAction(record);
  const reason = outcome === 'done' ? undefined : record.result?.error?.message;
  return (
    <li>
      <button type="button" className="run-action" aria-current={isNow} onClick={() => engine.seek(fromStep)}>
        <OutcomeIcon outcome={outcome} />
        <span className="run-action-title">{actionTitle(record, robot)}</span>
        <span className="run-action-time">{momentWords(fromStep)}</span>
        <span className="visually-hidden">{OUTCOME_WORDS[outcome]}</span>
        {reason && <span className="run-action-reason">{reason}</span>}
      </button>
    </li>
  );
}
