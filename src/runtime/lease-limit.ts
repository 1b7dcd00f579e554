import { LEASE_CHANGES_AT_ONCE_MAX, LEASE_CHANGES_OF_ALL_MAX, LEASE_CHANGES_WITHIN_MS } from '../protocol/wire/driver.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import * as texts from './driver-texts.ts';
import type { Lease } from './lease-state.ts';

/**
 * Limits how often the lease may change its holder. Each takeover and each new request is reported to the whole room and may end
 * actions. A participant that takes and releases endlessly is therefore refused for a while. A release is always accepted.
 */

/**
 * Counts a takeover or new request. A caller that keeps changing its name uses up only the limit for all participants together;
 * beyond that limit, each participant's first change is still accepted.
 * @param nowMs the runtime's own clock
 * @returns why it is refused, or null
 */
export function countLeaseChange(lease: Lease, key: string, nowMs: number): RuntimeError | null {
  lease.changes = lease.changes.filter(({ atMs }) => nowMs - atMs < LEASE_CHANGES_WITHIN_MS);
  const own = lease.changes.filter((change) => change.key === key);
  const [first] = own;
  if (first && (own.length >= LEASE_CHANGES_AT_ONCE_MAX || lease.changes.length >= LEASE_CHANGES_OF_ALL_MAX))
    return texts.tooManyLeaseChanges(first.atMs + LEASE_CHANGES_WITHIN_MS - nowMs);
  lease.changes = [...lease.changes, { key, atMs: nowMs }];
  return null;
}
