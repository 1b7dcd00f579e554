import type { Session } from './http-session.ts';

/** The limits of sessions. Beyond them, the session ends that was not used for the longest time. */
export interface SessionLimits {
  /** Sessions of one owner. */
  ofOwnerMax: number;
  /** Sessions of all owners. */
  max: number;
  /** A session that is not used for this long ends. */
  idleMs: number;
}

/** A session that was used more recently is not ended for another one. */
const IN_USE_MS = 60_000;

/** The open sessions. */
export class Sessions {
  /** The most recently used one is at the end. */
  readonly #all = new Map<string, { session: Session; usedMs: number }>();
  readonly #limits: SessionLimits;
  readonly #nowMs: () => number;

  constructor(limits: SessionLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Returns the session, which counts as used; null if it has ended or belongs to another owner. */
  find(id: string, owner: string): Session | null {
    this.#endIdle();
    const found = this.#all.get(id);
    if (found?.session.owner !== owner) return null;
    this.add(found.session);
    return found.session;
  }

  add(session: Session): void {
    this.#all.delete(session.id);
    this.#all.set(session.id, { session, usedMs: this.#nowMs() });
  }

  remove(id: string): void {
    this.#all.delete(id);
  }

  /** Ends the oldest sessions until one more may be opened. @returns false if all of them are in use */
  makeRoom(owner: string): boolean {
    this.#endIdle();
    const own = [...this.#all.values()].filter(({ session }) => session.owner === owner);
    return this.#thinOut(own, this.#limits.ofOwnerMax) && this.#thinOut([...this.#all.values()], this.#limits.max);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ session }) => session.close()));
  }

  #thinOut([oldest, ...others]: { session: Session; usedMs: number }[], max: number): boolean {
    if (oldest === undefined || others.length + 1 < max) return true;
    if (this.#nowMs() - oldest.usedMs < IN_USE_MS) return false;
    void oldest.session.close();
    return true;
  }

  #endIdle(): void {
    for (const { session, usedMs } of [...this.#all.values()]) {
      if (this.#nowMs() - usedMs < this.#limits.idleMs) return;
      void session.close();
    }
  }
}
