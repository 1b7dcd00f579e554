import type { RuntimeError } from '../../../protocol/wire/error-codes.ts';
import { outcomeOfError } from '../common/outcomes.ts';
import { errorMessage, remedy, triedText } from '../common/texts.ts';
import { ValueList } from './ValueList.tsx';

/** Fields of an error's details that other words already express. */
const SAID_AS_TEXT = new Set(['stage', 'attempted', 'world_changed', 'retryable', 'hint']);

/** An error of the runtime: the problem, the next step, whether it was tried, and the measurements. */
export function ErrorReport({ error }: { error: RuntimeError }) {
  const rest = Object.entries(error.details).filter(([key]) => !SAID_AS_TEXT.has(key));
  return (
    <div className="error-report stack" data-outcome={outcomeOfError(error)}>
      <p className="error-message">{errorMessage(error)}</p>
      <p>{remedy(error)}</p>
      <p className="muted">{triedText(error)}</p>
      <p className="muted">
        Code <code>{error.code}</code>
      </p>
      {rest.length > 0 && (
        <section>
          <h3 className="section-title">Details</h3>
          <ValueList value={Object.fromEntries(rest)} />
        </section>
      )}
    </div>
  );
}
