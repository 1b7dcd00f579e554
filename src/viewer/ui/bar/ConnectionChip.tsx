import { AppWindow, LoaderCircle, Wifi, WifiOff } from 'lucide-react';
import type { ConnectionState } from '../../engine/types.ts';
import { useViewer } from '../common/engine-context.ts';

const CONNECTION_TEXTS: Record<ConnectionState['kind'], string> = {
  idle: 'Not connected',
  joining: 'Joining',
  connected: 'Connected',
  silent: 'No answer',
  reconnecting: 'Reconnecting',
  rejoining: 'Rejoining',
  ended: 'Not connected',
};

/** The connection to the room, as icon and word. */
export function ConnectionChip() {
  const kind = useViewer((state) => state.connection.kind);
  const local = useViewer((state) => state.local);
  if (local)
    return (
      <p className="chip" data-testid="connection" title="The robot runs in this tab alone: no one else can reach it.">
        <AppWindow size={16} aria-hidden />
        <span className="wide-only">In this tab</span>
      </p>
    );
  const text = CONNECTION_TEXTS[kind];
  const tone = kind === 'connected' ? 'good' : kind === 'idle' || kind === 'ended' ? 'bad' : 'warn';
  return (
    <p className={`chip chip-${tone}`} data-testid="connection" title={text}>
      {kind === 'connected' ? (
        <Wifi size={16} aria-hidden />
      ) : tone === 'bad' ? (
        <WifiOff size={16} aria-hidden />
      ) : (
        <LoaderCircle size={16} aria-hidden className="spin" />
      )}
      <span className="wide-only">{text}</span>
    </p>
  );
}
