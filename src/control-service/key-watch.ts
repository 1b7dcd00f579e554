import { inArray } from 'drizzle-orm';
import { whyKeyEnded } from './accounts.ts';
import { apiKeys } from './db/schema.ts';
import type { ServiceDeps } from './deps.ts';
import { doRepeated } from './repeated-work.ts';
import { ServiceError } from './service-error.ts';

/** A wait under a key, until it is over. */
export interface KeyedWait {
  /** Aborted when the key has ended, with the rejection as its reason. */
  readonly signal: AbortSignal;
  over(): void;
}

/**
 * Ends long waits under an API key when the key expires or is revoked, also by another instance. All keys with waits are looked
 * up together, at intervals.
 */
export class KeyWatch {
  private readonly waits = new Map<string, Set<AbortController>>();
  private timer: NodeJS.Timeout | null = null;
  /** The next lookup is scheduled when this one is over, so two never overlap. */
  private isLooking = false;
  private readonly deps: Pick<ServiceDeps, 'db' | 'clock' | 'log' | 'memory'>;
  private readonly everyMs: number;

  constructor(deps: Pick<ServiceDeps, 'db' | 'clock' | 'log' | 'memory'>, everyMs: number) {
    this.deps = deps;
    this.everyMs = everyMs;
  }

  watch(keyId: string): KeyedWait {
    const ending = new AbortController();
    const ofKey = this.waits.get(keyId) ?? new Set();
    this.waits.set(keyId, ofKey.add(ending));
    this.lookLater();
    return {
      signal: ending.signal,
      over: () => {
        ofKey.delete(ending);
        if (ofKey.size === 0 && this.waits.get(keyId) === ofKey) this.waits.delete(keyId);
        if (this.waits.size > 0 || this.timer === null) return;
        clearTimeout(this.timer);
        this.timer = null;
      },
    };
  }

  /** Schedules the next lookup. While nothing waits, nothing is looked up. */
  private lookLater(): void {
    if (this.isLooking) return;
    this.timer ??= setTimeout(async () => {
      this.timer = null;
      this.isLooking = true;
      // If the database does not answer, the state of the key is unknown. It is asked again.
      await doRepeated(this.deps, 'key_watch', () => this.look());
      this.isLooking = false;
      if (this.waits.size > 0) this.lookLater();
    }, this.everyMs).unref();
  }

  private async look(): Promise<void> {
    const ids = [...this.waits.keys()];
    const { id, revokedAt, expiresAt } = apiKeys;
    const found = await this.deps.db.select({ id, revokedAt, expiresAt }).from(apiKeys).where(inArray(id, ids));
    const nowMs = this.deps.clock.nowMs();
    for (const keyId of ids) {
      const key = found.find((one) => one.id === keyId);
      const reason = key ? whyKeyEnded(key, nowMs) : 'unknown';
      if (reason === null) continue;
      for (const ending of this.waits.get(keyId) ?? []) ending.abort(ServiceError.unauthorized(reason));
    }
  }
}
