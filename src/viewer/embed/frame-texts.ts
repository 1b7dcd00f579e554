import type { ConnectionState, ViewerState } from '../engine/types.ts';

type Apart = Extract<ConnectionState['kind'], 'silent' | 'reconnecting' | 'rejoining'>;

/** The frame's text in place of the robot's activity while the room is out of reach. */
const APART_TEXTS: Readonly<Record<Apart, string>> = {
  silent: 'No answer',
  reconnecting: 'Reconnecting',
  rejoining: 'Rejoining',
};

/** Returns whether the room was joined and is out of reach. */
export const isApart = ({ kind }: ConnectionState): boolean => kind in APART_TEXTS;

/** Returns the frame's status as a short text. Its host reads the same text. */
export function frameStatus({ phase, statusText, connection }: ViewerState): string {
  if (phase === 'ended') return 'Not in the room';
  if (phase === 'gate') return 'Waiting for a key';
  return APART_TEXTS[connection.kind as Apart] ?? (statusText || (phase === 'loading' ? 'Loading' : 'Ready'));
}

/** Returns a sentence on why the frame does not work; null while it works. */
export function frameProblem(state: ViewerState): string | null {
  return (
    // A key that is rejected while the robot is live does not affect the robot.
    (state.phase === 'live' ? null : state.gateProblem) ??
    state.loading.find(({ problem }) => problem !== undefined)?.problem ??
    state.visit?.problem ??
    roomProblem(state.connection)
  );
}

function roomProblem(connection: ConnectionState): string | null {
  switch (connection.kind) {
    case 'ended':
      return connection.message;
    case 'rejoining':
      return connection.reason;
    case 'reconnecting':
      return 'The connection to the room is interrupted.';
    case 'silent':
      return 'The room is silent.';
    default:
      return null;
  }
}

/** Returns why the latest key does not open its room; null while that is undecided. */
export const keyProblem = ({ gateProblem, connection, loading }: ViewerState): string | null =>
  gateProblem ?? (connection.kind === 'ended' ? connection.message : (loading.find(({ id }) => id === 'room')?.problem ?? null));
