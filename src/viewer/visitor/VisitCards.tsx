import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { shownName } from '../../common/shown-text.ts';
import { useEngine, useViewer } from '../ui/common/engine-context.ts';

/** While the page finds its robot. */
export function VisitLoading() {
  const name = useViewer((state) => (state.robot ? shownName(state.robot.name) : 'the robot'));
  const part = useViewer((state) => state.loading.find(({ done }) => !done) ?? null);
  const offline = useViewer((state) => state.offline);
  if (part?.problem)
    return (
      <section className="card" aria-labelledby="visit-loading">
        <h2 id="visit-loading" className="card-title">
          The page could not be loaded
        </h2>
        <p className="card-text" role="alert">
          {part.problem}
        </p>
        <div className="card-actions">
          <button type="button" className="button button-main" onClick={() => window.location.reload()}>
            Reload the page
          </button>
        </div>
      </section>
    );
  const doing = part?.id === 'world' ? `Waiting for a view of ${name}` : 'Joining the room';
  return (
    <p className="world-pending row muted" role="status">
      <LoaderCircle size={16} aria-hidden className="spin" />
      {offline ? 'This computer is offline' : doing}
    </p>
  );
}

/** The end of a visit: why, and what to do. */
export function VisitEnded({ onOtherKey }: { onOtherKey: (() => void) | null }) {
  const engine = useEngine();
  const connection = useViewer((state) => state.connection);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  if (connection.kind !== 'ended') return null;
  return (
    <section className="card ended-card" aria-labelledby="visit-ended">
      <h2 id="visit-ended" className="card-title" tabIndex={-1} ref={title}>
        {connection.title}
      </h2>
      <p className="card-text" role="alert">
        {connection.message}
      </p>
      <div className="card-actions">
        {connection.canRetry && (
          <button type="button" className="button button-main" onClick={() => engine.retry()}>
            {connection.reason === 'removed' ? 'Join again' : 'Try again'}
          </button>
        )}
        {onOtherKey && (
          <button type="button" className={connection.canRetry ? 'button' : 'button button-main'} onClick={onOtherKey}>
            Use another link
          </button>
        )}
      </div>
    </section>
  );
}
