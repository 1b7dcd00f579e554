import { createRoomPatience } from '../protocol/room/rejoin-wait.ts';
import type { EndReason } from './connection-state.ts';

/** Attempts of a first join before it gives up. A page that was in the room already tries until its key expires. */
const FIRST_JOIN_ATTEMPTS = 5;

/** The page must stay out. `facts` are for the notice to people. */
export interface StayOut<Facts> {
  kind: 'end';
  reason: EndReason;
  facts?: Facts;
}

/** Why a page is not in the room after an attempt. */
export type NotIn<Facts = undefined> = StayOut<Facts> | { kind: 'rejoin'; why: string };

/** How a page tries to get into its room. */
export interface WayIn<Facts> {
  /** A sentence for a rejoin, null for the first join. */
  why: string | null;
  /** Aborted when the page is not wanted there any more. */
  signal: AbortSignal;
  /** Until when the key is good, milliseconds since the epoch. */
  expiresAtMs(): number;
  /** @returns null once it is in the room */
  attempt(): Promise<NotIn<Facts> | null>;
  onRejoining(attempt: number, reason: string): void;
  /** Waits before an attempt. */
  pause(attempt: number): Promise<void>;
  /** Whether the browser reports a network. */
  isOnline(): boolean;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/** Tries until the page is in the room or must give up. @returns the reason for giving up; null if it is in the room or was stopped */
export async function findWayIn<Facts>(way: WayIn<Facts>): Promise<StayOut<Facts> | null> {
  const { why, signal } = way;
  const mayBeBack = createRoomPatience(way.nowMs);
  let failures = 0;
  let reason = why;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    if (why !== null && reason !== null) way.onRejoining(attempt, reason);
    if (attempt > 1 || why !== null) await way.pause(attempt);
    if (signal.aborted) return null;
    if (way.expiresAtMs() <= way.nowMs()) return { kind: 'end', reason: 'key_expired' };
    const outcome = await way.attempt();
    if (signal.aborted || outcome === null) return null;
    if (outcome.kind === 'end') {
      if (why === null || outcome.reason !== 'session_deleted' || !mayBeBack()) return outcome;
      reason = 'The room is not there; perhaps the server has just restarted.';
      continue;
    }
    // Without a network no server answers, which proves nothing about this one.
    if (way.isOnline()) failures += 1;
    if (why === null && failures >= FIRST_JOIN_ATTEMPTS) return { kind: 'end', reason: 'unreachable' };
    reason = outcome.why;
  }
  return null;
}
