import type { Robot } from '../../protocol/control-service.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { fetchOwn } from '../engine/own-server.ts';
import { AccountService, isKeyForm, type Problem } from './account-service.ts';
import { type Clocks, placesAfter, type SeenPlace } from './seen-places.ts';

/** What the page shows. */
export interface DeskState {
  /** Whether a key is held; `checking` until the service has taken it. */
  access: 'none' | 'checking' | 'open';
  /** Why there is no access, or none any more; null before a key was given. */
  accessNotice: { words: string; isProblem: boolean } | null;
  /** The robots of the account, oldest first; null before they are known. */
  robots: readonly Robot[] | null;
  /** By robot; null before they are known, and while the media server is away. */
  sessions: ReadonlyMap<string, SessionState> | null;
  /** Where the robots were when they said so last, by robot. */
  places: ReadonlyMap<string, SeenPlace>;
  /** What keeps the list from being up to date; null while nothing does. */
  problem: Problem | null;
}

/** The page around the desk. */
export interface DeskDeps {
  fetch: typeof fetchOwn;
  /** Milliseconds on a clock that nobody sets. */
  nowMs: () => number;
  /** Milliseconds since the epoch by the machine's clock. */
  wallMs: () => number;
  setTimer: (run: () => void, afterMs: number) => number;
  clearTimer: (timer: number) => void;
  isHidden: () => boolean;
}

export const POLL_EVERY_MS = 5_000;
/** Names change seldom: the list of robots is read again this often, and after each change made here. */
export const ROBOTS_EVERY_MS = 30_000;
/** While a few robots are in rooms and one of them works, it is followed more closely; the service looks no more often itself. */
export const LIVELY_EVERY_MS = 2_000;
const LIVELY_SESSIONS_MAX = 30;
const POLL_AT_MOST_EVERY_MS = 60_000;

const EMPTY: DeskState = { access: 'none', accessNotice: null, robots: null, sessions: null, places: new Map(), problem: null };

/**
 * Holds the API key, in memory alone, and keeps the list of robots up to date: two requests at most every five seconds, however
 * many robots there are, or every two while one of a few works; none while nobody sees the page; fewer after failures.
 */
export class RobotsDesk {
  private state: DeskState = EMPTY;
  private readonly listeners = new Set<() => void>();
  private readonly deps: DeskDeps;
  private service: AccountService | null = null;
  private stopping = new AbortController();
  private timer: number | null = null;
  private isPolling = false;
  private isDueAgain = false;
  private failures = 0;
  private robotsReadMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DeskDeps) {
    this.deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly read = (): DeskState => this.state;

  /** The service under the key that is held; null while none is. */
  get account(): AccountService | null {
    return this.service;
  }

  /** Takes a key and looks whether the service takes it. */
  take(key: string): void {
    this.forget();
    const trimmed = key.trim();
    if (!isKeyForm(trimmed)) {
      const words =
        trimmed === ''
          ? 'This is empty. Paste an API key; it begins with sk_live_.'
          : 'This is not an API key: a key is one word without spaces that begins with sk_live_. Copy it whole.';
      this.set({ ...EMPTY, accessNotice: { words, isProblem: true } });
      return;
    }
    this.service = new AccountService(trimmed, this.deps.fetch);
    this.set({ ...EMPTY, access: 'checking' });
    this.look();
  }

  /** Forgets the key and all that was read with it. @param notice why, for whoever is asked for a key again */
  forget(notice: DeskState['accessNotice'] = null): void {
    this.stopping.abort();
    this.stopping = new AbortController();
    if (this.timer !== null) this.deps.clearTimer(this.timer);
    this.timer = null;
    this.service = null;
    this.isPolling = false;
    this.isDueAgain = false;
    this.failures = 0;
    this.robotsReadMs = Number.NEGATIVE_INFINITY;
    this.set({ ...EMPTY, accessNotice: notice });
  }

  /** Looks at once, after a change that was made here or when the page is seen again. @param changed whether robots may have changed */
  look(changed = false): void {
    if (changed) this.robotsReadMs = Number.NEGATIVE_INFINITY;
    if (this.timer !== null) this.deps.clearTimer(this.timer);
    this.timer = null;
    if (this.isPolling) this.isDueAgain = true;
    else void this.poll();
  }

  private async poll(): Promise<void> {
    const { service, stopping } = this;
    if (service === null || this.deps.isHidden()) return;
    this.isPolling = true;
    this.isDueAgain = false;
    const problem = await this.readOnce(service, stopping.signal);
    if (stopping.signal.aborted) return;
    this.isPolling = false;
    if (problem?.kind === 'key-refused') {
      this.forget({ words: problem.words, isProblem: true });
      return;
    }
    this.failures = problem === null ? 0 : this.failures + 1;
    this.set({ ...this.state, problem });
    if (this.isDueAgain && problem === null) {
      void this.poll();
      return;
    }
    const waitMs = Math.max(
      Math.min(this.everyMs() * 2 ** Math.max(0, this.failures - 1), POLL_AT_MOST_EVERY_MS),
      problem?.retryAfterMs ?? 0,
    );
    this.timer = this.deps.setTimer(() => {
      this.timer = null;
      void this.poll();
    }, waitMs);
  }

  private everyMs(): number {
    const sessions = [...(this.state.sessions?.values() ?? [])];
    const isLively = sessions.some(
      ({ runtime }) => runtime?.state?.status === 'busy' || runtime?.state?.robot_status === 'moving',
    );
    return isLively && sessions.length <= LIVELY_SESSIONS_MAX ? LIVELY_EVERY_MS : POLL_EVERY_MS;
  }

  private async readOnce(service: AccountService, signal: AbortSignal): Promise<Problem | null> {
    const startedMs = this.deps.nowMs();
    if (startedMs - this.robotsReadMs >= ROBOTS_EVERY_MS) {
      // Set before it is asked, so that a change during the read has it read again.
      this.robotsReadMs = startedMs;
      const robots = await service.readRobots(signal);
      if (signal.aborted) return null;
      if (!robots.ok) {
        this.robotsReadMs = Number.NEGATIVE_INFINITY;
        return robots.problem;
      }
      this.set({ ...this.state, access: 'open', robots: robots.value });
    }
    const askedAt: Clocks = { nowMs: this.deps.nowMs(), wallMs: this.deps.wallMs() };
    const sessions = await service.readSessions(signal);
    if (signal.aborted) return null;
    if (sessions.ok) {
      this.set({
        ...this.state,
        sessions: new Map(sessions.value.map((session) => [session.robot_id, session])),
        places: placesAfter(this.state.places, sessions.value, askedAt),
      });
      return null;
    }
    // What was seen before is no longer known to hold.
    this.set({ ...this.state, sessions: null });
    return sessions.problem;
  }

  private set(state: DeskState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
