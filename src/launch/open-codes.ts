import { createHash } from 'node:crypto';
import type { Clock } from '../control-service/clock.ts';
import { OPEN_CODE_LIFE_MS } from '../protocol/service/robots-page.ts';

/** Beyond this number the oldest code expires: no person needs so many links at once. */
const CODES_MAX = 8;
const CODE_BYTES = 24;

/** One-time codes, each of which opens the robots' page once. Only their hashes are stored. */
export class OpenCodes {
  /** The expiry of each code by its hash, oldest first. */
  private readonly ends = new Map<string, number>();
  private readonly clock: Pick<Clock, 'monotonicMs'>;
  private readonly randomBytes: (count: number) => Uint8Array;

  constructor(clock: Pick<Clock, 'monotonicMs'>, randomBytes: (count: number) => Uint8Array) {
    this.clock = clock;
    this.randomBytes = randomBytes;
  }

  /** Creates a code. It expires when it is used, and after ten minutes. */
  make(): string {
    const code = Buffer.from(this.randomBytes(CODE_BYTES)).toString('base64url');
    this.ends.set(hashOf(code), this.clock.monotonicMs() + OPEN_CODE_LIFE_MS);
    for (const oldest of this.ends.keys()) {
      if (this.ends.size <= CODES_MAX) break;
      this.ends.delete(oldest);
    }
    return code;
  }

  /** Uses a code up. @returns whether it was valid */
  use(code: string): boolean {
    // Looked up by its hash, so that timing does not reveal how much of a guess was right.
    const hash = hashOf(code);
    const endsMs = this.ends.get(hash);
    this.ends.delete(hash);
    return endsMs !== undefined && this.clock.monotonicMs() < endsMs;
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');
