import { useEffect, useRef } from 'react';
import type { EndReason } from '../../engine/types.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';

/** The label of the button that joins again with the same key, by the reason of the end. */
const RETRY_TEXTS: Record<EndReason, string> = {
  left: 'Join again',
  session_deleted: 'Try again',
  key_expired: 'Try again',
  taken_over: 'Take over here',
  held_elsewhere: 'Take over here',
  held_by_another: 'Take over here',
  removed: 'Join again',
  link_revoked: 'Try again',
  refused: 'Try again',
  unreachable: 'Try again',
};

const WORLD_WENT_ALONG = 'The world continues there.';
const WORLD_STILL_HERE = 'This tab keeps its world. If you take the robot back, the world continues from here.';

/** The end of a session in a room: the reason, and the ways to continue. */
export function EndedCard({ onOtherKey }: { onOtherKey: () => void }) {
  const engine = useEngine();
  const connection = useViewer((state) => state.connection);
  const keeping = useViewer((state) => state.keeping);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  if (connection.kind !== 'ended') return null;
  return (
    <section className="card ended-card" aria-labelledby="ended-title">
      <h2 id="ended-title" className="card-title" tabIndex={-1} ref={title}>
        {connection.title}
      </h2>
      <div role="alert">
        {/* The time in it advances; a screen reader announces it once. */}
        {connection.holder && (
          <p className="card-text" aria-live="off">
            {connection.holder}
          </p>
        )}
        <p className="card-text">{connection.message}</p>
      </div>
      {connection.reason === 'taken_over' && (
        <p className="card-text">{keeping === 'elsewhere' ? WORLD_WENT_ALONG : WORLD_STILL_HERE}</p>
      )}
      <div className="card-actions">
        {connection.canRetry && (
          <button type="button" className="button button-main" onClick={() => engine.retry()}>
            {RETRY_TEXTS[connection.reason]}
          </button>
        )}
        <button type="button" className={connection.canRetry ? 'button' : 'button button-main'} onClick={onOtherKey}>
          {connection.reason === 'left' ? 'Enter a room key' : 'Use another key'}
        </button>
      </div>
    </section>
  );
}
