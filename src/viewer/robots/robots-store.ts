import type { Client } from '../../client/index.ts';
import type { Robot } from '../../protocol/service/control-service.ts';
import type { SessionState } from '../../protocol/service/session-state.ts';
import { isKeyForm, type Problem, readAll } from './account.ts';
import { type Clocks, placesAfter, type SeenPlace } from './seen-places.ts';

/** The state that the page shows. */
export interface RobotsState {
  /** Whether a key is held; `checking` until the service has accepted it. */
  access: 'none' | 'checking' | 'open';
  /** Why access is missing or has ended; null before a key was given. */
  accessNotice: { text: string; isProblem: boolean } | null;
  /** The robots of the account, oldest first; null before they are known. */
  robots: readonly Robot[] | null;
  /** Sessions by robot; null before they are known, and while the media server is unreachable. */
  sessions: ReadonlyMap<string, SessionState> | null;
  /** The robots' last reported places, by robot. */
  places: ReadonlyMap<string, SeenPlace>;
  /** Why the list is not up to date; null while it is. */
  problem: Problem | null;
}

/** The dependencies of the robots store on the page. */
export interface RobotsStoreDeps {
  /** Returns the client of the service with an API key. */
  openAccount: (apiKey: string) => Client;
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number;
  /** Milliseconds since the epoch by the machine's clock. */
  wallMs: () => number;
  setTimer: (run: () => void, afterMs: number) => number;
  clearTimer: (timer: number) => void;
  isHidden: () => boolean;
}

export const POLL_EVERY_MS = 5_000;
/** How often the list of robots is read again, besides each change made here. Names seldom change. */
export const ROBOTS_EVERY_MS = 30_000;
/** Interval while a few robots are in rooms and one of them works. The service itself does not poll more often. */
export const LIVELY_EVERY_MS = 2_000;
const LIVELY_SESSIONS_MAX = 30;
const POLL_AT_MOST_EVERY_MS = 60_000;

const EMPTY: RobotsState = { access: 'none', accessNotice: null, robots: null, sessions: null, places: new Map(), problem: null };

/**
 * Holds the API key, only in memory, and keeps the list of robots up to date. It sends at most two requests every five seconds,
 * however many robots there are, or every two seconds while one of a few works. It sends none while the page is hidden, and fewer
 * after failures.
 */
export class RobotsStore {
  private state: RobotsState = EMPTY;
  private readonly listeners = new Set<() => void>();
  private readonly deps: RobotsStoreDeps;
  private client: Client | null = null;
  private stopping = new AbortController();
  private timer: number | null = null;
  private isPolling = false;
  private isDueAgain = false;
  private failures = 0;
  private robotsReadMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RobotsStoreDeps) {
    this.deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly read = (): RobotsState => this.state;

  /** The client with the current key; null without a key. */
  get account(): Client | null {
    return this.client;
  }

  /** Takes a key and checks whether the service accepts it. */
  take(key: string): void {
    this.forget();
    const trimmed = key.trim();
    if (!isKeyForm(trimmed)) {
      const text =
        trimmed === ''
          ? 'This is empty. Paste an API key; it begins with sk_live_.'
          : 'This is not an API key: a key is one word without spaces that begins with sk_live_. Copy it whole.';
      this.set({ ...EMPTY, accessNotice: { text, isProblem: true } });
      return;
    }
    this.client = this.deps.openAccount(trimmed);
    this.set({ ...EMPTY, access: 'checking' });
    this.look();
  }

  /** Removes the key and all data that was read with it. @param notice the reason, shown when the page asks for a key again */
  forget(notice: RobotsState['accessNotice'] = null): void {
    this.stopping.abort();
    this.stopping = new AbortController();
    if (this.timer !== null) this.deps.clearTimer(this.timer);
    this.timer = null;
    this.client = null;
    this.isPolling = false;
    this.isDueAgain = false;
    this.failures = 0;
    this.robotsReadMs = Number.NEGATIVE_INFINITY;
    this.set({ ...EMPTY, accessNotice: notice });
  }

  /**
   * Refreshes at once, after a change made here or when the page becomes visible. @param changed whether robots may have changed
   */
  look(changed = false): void {
    if (changed) this.robotsReadMs = Number.NEGATIVE_INFINITY;
    if (this.timer !== null) this.deps.clearTimer(this.timer);
    this.timer = null;
    if (this.isPolling) this.isDueAgain = true;
    else void this.poll();
  }

  private async poll(): Promise<void> {
    const { client, stopping } = this;
    if (client === null || this.deps.isHidden()) return;
    this.isPolling = true;
    this.isDueAgain = false;
    const problem = await this.readOnce(client, stopping.signal);
    if (stopping.signal.aborted) return;
    this.isPolling = false;
    if (problem?.kind === 'key-refused') {
      this.forget({ text: problem.text, isProblem: true });
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

  private async readOnce({ robots: list }: Client, signal: AbortSignal): Promise<Problem | null> {
    const startedMs = this.deps.nowMs();
    if (startedMs - this.robotsReadMs >= ROBOTS_EVERY_MS) {
      // Set before the request, so that a change during the read triggers another read.
      this.robotsReadMs = startedMs;
      const robots = await readAll(
        (page) => list.list({ ...page, signal }),
        (page) => page.robots,
      );
      if (signal.aborted) return null;
      if (!robots.ok) {
        this.robotsReadMs = Number.NEGATIVE_INFINITY;
        return robots.problem;
      }
      this.set({ ...this.state, access: 'open', robots: robots.value });
    }
    const askedAt: Clocks = { nowMs: this.deps.nowMs(), wallMs: this.deps.wallMs() };
    const sessions = await readAll(
      (page) => list.listSessions({ ...page, signal }),
      (page) => page.sessions,
    );
    if (signal.aborted) return null;
    if (sessions.ok) {
      this.set({
        ...this.state,
        sessions: new Map(sessions.value.map((session) => [session.robot_id, session])),
        places: placesAfter(this.state.places, sessions.value, askedAt),
      });
      return null;
    }
    // The previous sessions may be outdated.
    this.set({ ...this.state, sessions: null });
    return sessions.problem;
  }

  private set(state: RobotsState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
