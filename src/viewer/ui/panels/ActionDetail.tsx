import { Code, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ActionView } from '../../engine/types.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { useRobotWords } from '../common/robot-words.ts';
import { actionTitle } from '../common/texts.ts';
import { useUiStore } from '../common/ui-store.ts';
import { CodeView } from '../console/CodeView.tsx';
import { useConsole, useConsoleStore } from '../console/console-store.ts';
import { callOfAction, openCallable } from '../console/sheet.ts';
import { ErrorReport } from '../values/ErrorReport.tsx';
import { ValueList } from '../values/ValueList.tsx';
import { actionAsJson } from './action-json.ts';

/** Parameters and result or error of one action, and the ways to repeat it. */
export function ActionDetail({ action }: { action: ActionView }) {
  const { result } = action;
  const error = result?.error;
  return (
    <div className="action-detail stack gap-3">
      {error && <ErrorReport error={error} />}
      <Section title="Parameters">
        <ValueList value={action.input} />
      </Section>
      {result?.result && (
        <Section title="Result">
          <ValueList value={result.result} />
        </Section>
      )}
      {result?.meta.degraded && <p className="muted">{result.meta.note ?? 'The request was carried out only in part.'}</p>}
      {!result && <p className="muted">Still running.</p>}
      <Again action={action} />
      <div className="row spread">
        <code className="action-id cut" title={`Action id ${action.actionId}`}>
          {action.actionId}
        </code>
        <CopyButton label="Copy id" text={() => action.actionId} />
        <CopyButton label="Copy as JSON" text={() => actionAsJson(action)} />
      </div>
    </div>
  );
}

/** Repeats a call: in the console, to run or change it first, or as a program. */
function Again({ action }: { action: ActionView }) {
  const robot = useRobotWords();
  const store = useConsoleStore();
  const ui = useUiStore();
  const [withCode, setWithCode] = useState(false);
  const call = callOfAction(action);
  const known = useConsole((state) => state.callables).find(({ id, kind }) => id === call.id && kind !== 'skill');
  const callable = known ?? {
    id: call.id,
    kind: 'skill' as const,
    title: actionTitle(action, robot),
  };
  const again = () => {
    openCallable(store, call.id, { input: call.input });
    ui.setState({ tab: 'skills' });
  };
  return (
    <>
      <div className="cluster">
        <button type="button" className="button" onClick={again}>
          <Play size={14} aria-hidden />
          Run again
        </button>
        <button type="button" className="button button-quiet" aria-expanded={withCode} onClick={() => setWithCode(!withCode)}>
          <Code size={14} aria-hidden />
          {withCode ? 'Hide the code' : 'Show as code'}
        </button>
      </div>
      {withCode && <CodeView call={{ callable, input: call.input, options: {} }} />}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="section-title">{title}</h3>
      {children}
    </section>
  );
}
