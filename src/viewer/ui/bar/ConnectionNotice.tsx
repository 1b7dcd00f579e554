import { useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';

/** A calm line over the whole width while the room is out of reach. */
export function ConnectionNotice() {
  const connection = useViewer((state) => state.connection);
  const phase = useViewer((state) => state.phase);
  if (phase !== 'live') return null;
  switch (connection.kind) {
    case 'reconnecting':
      return (
        <div className="notice">
          <p role="status">The connection to the room is interrupted. The robot goes on, and this page reconnects by itself.</p>
          <Since sinceMs={connection.sinceMs} />
        </div>
      );
    case 'rejoining':
      return (
        <div className="notice">
          <p role="status">{connection.reason} The robot goes on, and this page joins the room again by itself.</p>
          {connection.attempt > 1 && <span className="muted">attempt {connection.attempt}</span>}
        </div>
      );
    case 'idle':
    case 'joining':
    case 'connected':
    case 'ended':
      return null;
  }
}

function Since({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1_000);
  return <span className="muted">{wholeSeconds(nowMs - sinceMs)}</span>;
}
