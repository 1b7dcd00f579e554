import type { ConnectionState, ViewerState } from '../engine/types.ts';

type Apart = Extract<ConnectionState['kind'], 'silent' | 'reconnecting' | 'rejoining'>;

/** What a frame says in place of what the robot does while the room is out of reach. */
const APART_WORDS: Readonly<Record<Apart, string>> = {
  silent: 'No answer',
  reconnecting: 'Reconnecting',
  rejoining: 'Rejoining',
};

/** Whether the room was joined and is out of reach. */
export const isApart = ({ kind }: ConnectionState): boolean => kind in APART_WORDS;

/** Returns what the frame shows as its state, in a few words; its host reads the same. */
export function frameStatus({ phase, statusText, connection }: ViewerState): string {
  if (phase === 'ended') return 'Not in the room';
  if (phase === 'gate') return 'Waiting for a key';
  return APART_WORDS[connection.kind as Apart] ?? (statusText || (phase === 'loading' ? 'Loading' : 'Ready'));
}

/** Returns why it does not work, as a sentence; null while it does. */
export function frameProblem(state: ViewerState): string | null {
  return (
    // A key that was refused while the robot is there changes nothing of it.
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

/** Returns why the key that was just given brings nobody into its room; null while that is open. */
export const keyProblem = ({ gateProblem, connection, loading }: ViewerState): string | null =>
  gateProblem ?? (connection.kind === 'ended' ? connection.message : (loading.find(({ id }) => id === 'room')?.problem ?? null));
