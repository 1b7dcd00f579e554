import { CircleEllipsis } from 'lucide-react';
import type { SeenCall, SeenStep } from '../../protocol/service/agent-watch.ts';
import { useViewer } from '../ui/common/engine-context.ts';
import { duration } from '../ui/common/format.ts';
import { useNow } from '../ui/common/hooks.ts';
import { OutcomeIcon } from '../ui/values/OutcomeIcon.tsx';
import { useAgent } from './agent-context.ts';
import { agentWords, CALL_WORDS, driverText, placeText, stepWords, toolWords } from './agent-texts.ts';

/** The agent, its task, and each of its calls with the sentence of the reply. */
export function AgentPanel() {
  const agent = useAgent(agentWords);
  const instruction = useAgent(({ world }) => world?.instruction ?? null);
  const calls = useAgent((seen) => seen.calls);
  const isEnded = useAgent((seen) => seen.isEnded);
  const driver = useViewer(driverText);
  const place = useViewer(placeText);
  const failed = calls.find(({ state }) => state === 'failed');
  return (
    // Scrolling by keyboard needs focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, and has no control inside
    <aside className="side-panel surface agent-panel" aria-label="The agent" tabIndex={0}>
      <dl className="agent-facts">
        <div>
          <dt>Agent</dt>
          <dd data-testid="agent">{agent}</dd>
        </div>
        {instruction !== null && (
          <div>
            <dt>Task</dt>
            <dd>{instruction}</dd>
          </div>
        )}
        <div>
          <dt>Driver</dt>
          <dd>{driver}</dd>
        </div>
        <div>
          <dt>Robot</dt>
          <dd data-testid="place">{place}</dd>
        </div>
      </dl>
      <h2 className="agent-title">What the agent asked</h2>
      <p className="visually-hidden" role="status">
        {failed ? `${toolWords(failed.tool)} failed. ${failed.said ?? ''}` : ''}
      </p>
      {calls.length === 0 ? (
        <p className="muted">The agent has not called a tool yet.</p>
      ) : (
        <ol className="agent-calls" reversed>
          {calls.map((call) => (
            <Call key={call.number} call={call} isLost={isEnded && call.state === 'running'} />
          ))}
        </ol>
      )}
    </aside>
  );
}

/** @param isLost the process ended before the call did */
function Call({ call: { tool, asked, steps, state, said, startedAtMs, tookMs }, isLost }: { call: SeenCall; isLost: boolean }) {
  // A plan that was refused has run no step, and its sentence has the reason.
  const hasRun = steps.some((step) => step.state !== 'planned');
  return (
    <li className={`agent-call agent-call-${state}`}>
      {state === 'continues' || isLost ? <CircleEllipsis size={18} aria-hidden /> : <OutcomeIcon outcome={state} />}
      <p className="agent-call-tool cut">{toolWords(tool)}</p>
      <p className="agent-call-time muted">
        {isLost ? 'Not ended' : CALL_WORDS[state]}
        {' · '}
        {tookMs === null ? isLost ? '…' : <Running sinceMs={startedAtMs} /> : duration(tookMs)}
      </p>
      {asked !== '' && <p className="agent-call-asked">{asked}</p>}
      {steps.length > 0 && (
        <ol className="agent-steps">
          {steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan keep their places
            <Step key={at} step={step} isOver={isLost || state === 'done' || state === 'failed'} />
          ))}
        </ol>
      )}
      {said !== null && !hasRun && <p className="agent-call-said">{said}</p>}
    </li>
  );
}

/** @param isOver the plan has ended */
function Step({ step: { tool, asked, state, said }, isOver }: { step: SeenStep; isOver: boolean }) {
  return (
    <li className={`agent-step agent-step-${state}`}>
      <span>
        {toolWords(tool)} <span className="agent-step-target">{asked}</span>
      </span>
      <span className="muted">{stepWords(state, isOver)}</span>
      {state === 'failed' && <span className="agent-step-said">{said}</span>}
    </li>
  );
}

const Running = ({ sinceMs }: { sinceMs: number }) => duration(Math.max(0, useNow(1_000) - sinceMs));
