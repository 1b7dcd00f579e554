/** Why the tab has left the room and does not come back automatically. */
export type EndReason =
  | 'left'
  | 'session_deleted'
  | 'key_expired'
  | 'taken_over'
  | 'held_elsewhere'
  | 'held_by_another'
  | 'removed'
  | 'link_revoked'
  | 'refused'
  | 'unreachable';

/** An end in words that a person can act on. */
export interface ConnectionEnd {
  reason: EndReason;
  title: string;
  message: string;
  /** A sentence about the present robot and since when; it changes with time. Absent if unknown. */
  holder?: string;
  /** Whether the same key may be tried again. */
  canRetry: boolean;
}

/** State of a tab's connection to its room. Times are milliseconds since the epoch. */
export type ConnectionState =
  | { kind: 'idle' }
  | { kind: 'joining' }
  | { kind: 'connected' }
  /** The connection stands, but nothing comes over it. */
  | { kind: 'silent'; sinceMs: number }
  | { kind: 'reconnecting'; sinceMs: number }
  | { kind: 'rejoining'; attempt: number; reason: string }
  | ({ kind: 'ended' } & ConnectionEnd);

/** One participant in the room. */
export interface RoomParticipant {
  identity: string;
  /** Display name; the identity when there is none. */
  name: string;
  joinedAtMs: number;
  isSelf: boolean;
  /** Whether its token, which the SFU has checked, makes it an agent that was sent for. @default false */
  isAgent?: boolean;
}
