import { isLoopback } from '../../../protocol/room-key.ts';
import type { ConnectionState } from '../../engine/types.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';

/** A calm line over the whole width while the room is out of reach. */
export function ConnectionNotice() {
  const connection = useViewer((state) => state.connection);
  const phase = useViewer((state) => state.phase);
  const offline = useViewer((state) => state.offline);
  const held = useEngine().heldKey();
  if (phase !== 'live') return null;
  if (offline && isCutOff(connection, held?.key.sfuUrl))
    return (
      <div className="notice">
        <p role="status">
          This computer is offline, and nobody can reach the robot. It goes on, and this page is back in the room by itself once
          there is a network.
        </p>
      </div>
    );
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

/** A room on this very machine needs no network; its connection tells by itself when it is gone. */
function isCutOff({ kind }: ConnectionState, sfuUrl: string | undefined): boolean {
  if (kind === 'reconnecting' || kind === 'rejoining') return true;
  return kind === 'connected' && sfuUrl !== undefined && !isLoopback(new URL(sfuUrl).hostname);
}

function Since({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1_000);
  return <span className="muted">{wholeSeconds(nowMs - sinceMs)}</span>;
}
