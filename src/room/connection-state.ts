/** Why the tab is not in the room any more and does not try by itself to come back. */
export type EndReason =
  | 'left'
  | 'session_deleted'
  | 'key_expired'
  | 'taken_over'
  | 'held_elsewhere'
  | 'removed'
  | 'refused'
  | 'unreachable';

/** An end in words that a person can act on. */
export interface ConnectionEnd {
  reason: EndReason;
  title: string;
  message: string;
  /** May the same key be tried again? */
  canRetry: boolean;
}

/** Where a tab stands with its room. Times are milliseconds since the epoch. */
export type ConnectionState =
  | { kind: 'idle' }
  | { kind: 'joining' }
  | { kind: 'connected' }
  /** The connection stands, and nothing comes over it. */
  | { kind: 'silent'; sinceMs: number }
  | { kind: 'reconnecting'; sinceMs: number }
  | { kind: 'rejoining'; attempt: number; reason: string }
  | ({ kind: 'ended' } & ConnectionEnd);

/** Somebody in the room. */
export interface RoomParticipant {
  identity: string;
  /** Display name; the identity when there is none. */
  name: string;
  joinedAtMs: number;
  isSelf: boolean;
}
