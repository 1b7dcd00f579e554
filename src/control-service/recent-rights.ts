import type { KnownCaller } from './caller.ts';
import type { Clock } from './clock.ts';

/**
 * How long a right that the database has confirmed counts without it, in milliseconds. A key that another instance has revoked
 * can press an emergency stop for this long, and only while the database does not answer.
 */
const COUNTS_MS = 5 * 60_000;
/** How many keys, and robots, are remembered; those confirmed longest ago are forgotten. */
const REMEMBERED_MAX = 10_000;

/**
 * The keys that this instance has recently accepted, and the robots that it has seen in their accounts. Only an emergency stop
 * relies on them, while the database is unavailable. Contains hashes of keys, and no key.
 */
export class RecentRights {
  private readonly keys = new Map<string, { caller: KnownCaller; confirmedMs: number }>();
  /** The owner of each robot. */
  private readonly robots = new Map<string, { accountId: string; confirmedMs: number }>();

  /** Records that the database has confirmed the key of this hash as valid. */
  noteKey(hash: string, caller: KnownCaller, clock: Clock): void {
    remember(this.keys, hash, { caller, confirmedMs: clock.monotonicMs() });
  }

  /** Records that the database has confirmed these robots as the account's. */
  noteRobots(accountId: string, robotIds: readonly string[], clock: Clock): void {
    for (const robotId of robotIds) remember(this.robots, robotId, { accountId, confirmedMs: clock.monotonicMs() });
  }

  /** Forgets a key that has ended, by its hash or its id. */
  forgetKey(ended: { hash: string } | { keyId: string }): void {
    if ('hash' in ended) this.keys.delete(ended.hash);
    else for (const [hash, { caller }] of this.keys) if (caller.keyId === ended.keyId) this.keys.delete(hash);
  }

  forgetRobot(robotId: string): void {
    this.robots.delete(robotId);
  }

  clear(): void {
    this.keys.clear();
    this.robots.clear();
  }

  /** Returns the caller of the key of this hash; null for a key that was not recently accepted, or has expired since. */
  callerOf(hash: string, clock: Clock): KnownCaller | null {
    const known = this.keys.get(hash);
    if (known === undefined || !counts(known, clock)) return null;
    const { expiresAt } = known.caller;
    return expiresAt === null || expiresAt.getTime() > clock.nowMs() ? known.caller : null;
  }

  /** Whether the robot was recently confirmed as the account's. */
  isOwner(accountId: string, robotId: string, clock: Clock): boolean {
    const known = this.robots.get(robotId);
    return known !== undefined && known.accountId === accountId && counts(known, clock);
  }
}

const counts = ({ confirmedMs }: { confirmedMs: number }, clock: Clock): boolean =>
  clock.monotonicMs() - confirmedMs <= COUNTS_MS;

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
}
