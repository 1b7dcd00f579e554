import { TURNS_AT_ONCE_MAX, TURNS_OF_ALL_MAX, TURNS_WITHIN_MS } from '../protocol/driver.ts';
import * as texts from '../protocol/driver-texts.ts';
import type { RuntimeError } from '../protocol/error-codes.ts';
import type { Lease } from './lease-state.ts';

/**
 * How often the lease may begin to change hands. Each take and each new question is told to the whole room and may end actions, so one
 * that takes and releases without end is refused for a while. A release is never refused.
 */

/**
 * Counts a turn. Those of a caller that comes under ever new names fill a room of their own, in which everybody else's first still passes.
 * @param nowMs the runtime's own clock
 * @returns why it is refused, or null
 */
export function takeTurn(lease: Lease, key: string, nowMs: number): RuntimeError | null {
  lease.turns = lease.turns.filter(({ atMs }) => nowMs - atMs < TURNS_WITHIN_MS);
  const own = lease.turns.filter((turn) => turn.key === key);
  const [first] = own;
  if (first && (own.length >= TURNS_AT_ONCE_MAX || lease.turns.length >= TURNS_OF_ALL_MAX))
    return texts.tooManyTurns(first.atMs + TURNS_WITHIN_MS - nowMs);
  lease.turns = [...lease.turns, { key, atMs: nowMs }];
  return null;
}
