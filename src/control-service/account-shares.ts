import { commandKind } from '../protocol/wire/command-kinds.ts';
import { ServiceError } from './service-error.ts';

/**
 * The kinds of waiting requests of an account. Each kind has its own share. Stops have places instead:
 * `operations/stop-places.ts`.
 */
export type Share = 'waiting_commands' | 'requests_at_once';

/**
 * Counts how many requests of each account are under way in this instance. A port takes a limited number of connections, and each
 * request under way holds one. A limit well below that number leaves connections to the other accounts.
 */
export class AccountShares {
  private readonly underWay = new Map<string, number>();

  /** Accepts a request. @returns a function that ends it @throws 429 if the account has `max` active requests of this kind */
  enter(accountId: string, share: Share, max: number): () => void {
    const key = `${share} ${accountId}`;
    const before = this.underWay.get(key) ?? 0;
    if (before >= max) throw ServiceError.accountLimit(share, max);
    this.underWay.set(key, before + 1);
    return () => {
      const left = (this.underWay.get(key) ?? 1) - 1;
      if (left > 0) this.underWay.set(key, left);
      else this.underWay.delete(key);
    };
  }
}

/** Returns whether the body of a command ends motion. Such a command must not wait behind commands that set robots in motion. */
export function isStop(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('skill' in body)) return false;
  return commandKind(body.skill, 'parameters' in body ? body.parameters : undefined) === 'stop';
}
