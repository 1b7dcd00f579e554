import type { ReactNode } from 'react';
import type { RuntimeError } from '../../../protocol/error-codes.ts';
import type { ActionView } from '../../engine/types.ts';
import { CopyButton } from '../common/CopyButton.tsx';
import { ValueList } from '../common/ValueList.tsx';
import { remedy, triedWords } from '../common/words.ts';

/** Fields of an error's details that are said in words already. */
const SAID_IN_WORDS = new Set(['stage', 'attempted', 'world_changed', 'retryable', 'hint']);

/** Parameters, result or error of one action. */
export function ActionDetail({ action }: { action: ActionView }) {
  const { result } = action;
  const error = result?.error;
  return (
    <div className="action-detail">
      {error && <ErrorReport error={error} />}
      <Section title="Parameters">
        <ValueList value={action.input} />
      </Section>
      {result?.result && (
        <Section title="Result">
          <ValueList value={result.result} />
        </Section>
      )}
      {result?.meta.degraded && <p className="muted">{result.meta.note ?? 'Carried out with less than was asked for.'}</p>}
      {!result && <p className="muted">Still running.</p>}
      <div className="detail-foot">
        <code className="action-id" title="Action id">
          {action.actionId}
        </code>
        <CopyButton label="Copy as JSON" text={() => actionAsJson(action)} />
      </div>
    </div>
  );
}

function ErrorReport({ error }: { error: RuntimeError }) {
  const rest = Object.entries(error.details).filter(([key]) => !SAID_IN_WORDS.has(key));
  return (
    <div className="error-report">
      <p className="error-message">{error.message}</p>
      <p>{remedy(error)}</p>
      <p className="muted">{triedWords(error)}</p>
      <p className="muted">
        Code <code>{error.code}</code>
      </p>
      {rest.length > 0 && (
        <Section title="Details">
          <ValueList value={Object.fromEntries(rest)} />
        </Section>
      )}
    </div>
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

/** An action as one JSON text, in the words of the wire. */
export function actionAsJson({
  actionId,
  kind,
  name,
  input,
  caller,
  status,
  startedAtMs,
  finishedAtMs,
  result,
}: ActionView): string {
  const record = {
    action_id: actionId,
    kind,
    name,
    input,
    caller,
    status,
    started_at_ms: startedAtMs,
    finished_at_ms: finishedAtMs,
    result,
  };
  return JSON.stringify(record, null, 2);
}
