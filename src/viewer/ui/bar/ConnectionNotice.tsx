import { isLoopback } from '../../../protocol/room-key.ts';
import type { ConnectionState } from '../../engine/types.ts';
import { useContract } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';

/** A quiet line over the whole width while the room is out of reach. */
export function ConnectionNotice() {
  const connection = useViewer((state) => state.connection);
  const phase = useViewer((state) => state.phase);
  const offline = useViewer((state) => state.offline);
  const held = useEngine().heldKey();
  const { whileCutOff: goesOn } = useContract();
  if (phase !== 'live') return null;
  if (offline && isCutOff(connection, held?.key.sfuUrl))
    return (
      <div className="notice">
        <p role="status">
          This computer is offline, and nobody can reach the robot. {goesOn} This page joins the room again by itself once there
          is a network.
        </p>
      </div>
    );
  switch (connection.kind) {
    case 'silent':
      return (
        <div className="notice">
          <p role="status">The room is silent. {goesOn} This page recovers by itself.</p>
          <Since sinceMs={connection.sinceMs} />
        </div>
      );
    case 'reconnecting':
      return (
        <div className="notice">
          <p role="status">The connection to the room is interrupted. {goesOn} This page reconnects by itself.</p>
          <Since sinceMs={connection.sinceMs} />
        </div>
      );
    case 'rejoining':
      return (
        <div className="notice">
          <p role="status">
            {connection.reason} {goesOn} This page joins the room again by itself.
          </p>
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

/** Tells whether the connection is cut. A room on this machine needs no network; its connection itself reports when it is gone. */
function isCutOff({ kind }: ConnectionState, sfuUrl: string | undefined): boolean {
  if (kind === 'silent' || kind === 'reconnecting' || kind === 'rejoining') return true;
  return kind === 'connected' && sfuUrl !== undefined && !isLoopback(new URL(sfuUrl).hostname);
}

function Since({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1_000);
  return <span className="muted">{wholeSeconds(nowMs - sinceMs)}</span>;
}
