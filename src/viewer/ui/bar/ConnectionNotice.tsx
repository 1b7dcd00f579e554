import { isLoopback } from '../../../protocol/room/room-key.ts';
import type { ConnectionState } from '../../engine/types.ts';
import { useContract } from '../common/contract.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';

/** A line over the full width while the room is out of reach. */
export function ConnectionNotice() {
  const connection = useViewer((state) => state.connection);
  const phase = useViewer((state) => state.phase);
  const offline = useViewer((state) => state.offline);
  const held = useEngine().heldKey();
  const { whileCutOff: robotMeanwhile } = useContract();
  if (phase !== 'live') return null;
  if (offline && isCutOff(connection, held?.key.sfuUrl))
    return (
      <div className="notice">
        <p role="status">
          This computer is offline, and no one can reach the robot. {robotMeanwhile} This page joins the room again once there is
          a network.
        </p>
      </div>
    );
  switch (connection.kind) {
    case 'silent':
      return (
        <div className="notice">
          <p role="status">The room is silent. {robotMeanwhile} This page recovers automatically.</p>
          <Since sinceMs={connection.sinceMs} />
        </div>
      );
    case 'reconnecting':
      return (
        <div className="notice">
          <p role="status">The connection to the room is interrupted. {robotMeanwhile} This page reconnects automatically.</p>
          <Since sinceMs={connection.sinceMs} />
        </div>
      );
    case 'rejoining':
      return (
        <div className="notice">
          <p role="status">
            {connection.reason} {robotMeanwhile} This page joins the room again automatically.
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

/** Returns whether the connection is cut. A room on this machine needs no network, and its connection reports its own loss. */
function isCutOff({ kind }: ConnectionState, sfuUrl: string | undefined): boolean {
  if (kind === 'silent' || kind === 'reconnecting' || kind === 'rejoining') return true;
  return kind === 'connected' && sfuUrl !== undefined && !isLoopback(new URL(sfuUrl).hostname);
}

function Since({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1_000);
  return <span className="muted">{wholeSeconds(nowMs - sinceMs)}</span>;
}
