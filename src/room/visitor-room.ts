import { rejoinWaitMs } from '../protocol/room/rejoin-wait.ts';
import type { VisitorKey } from '../protocol/room/room-key.ts';
import type { ConnectionState, EndReason, RoomParticipant } from './connection-state.ts';
import type { PageLife, PageLifeHandlers } from './page-life.ts';
import type { ProbeResult } from './probe.ts';
import { visitEndOf } from './visitor-ends.ts';
import type {
  DataPacket,
  OpenedVisit,
  ReceivedPicture,
  VisitorCall,
  VisitorHandlers,
  VisitorSession,
} from './visitor-session.ts';
import { findWayIn, type NotIn } from './way-in.ts';

/** The outside world, passed in so that the way of a visitor can be tested without a network. */
export interface VisitorRoomDeps {
  onState(state: ConnectionState): void;
  onParticipants(participants: RoomParticipant[]): void;
  onMetadata(metadata: string): void;
  onData(packet: DataPacket): void;
  onPicture(picture: ReceivedPicture): void;
  /**
   * Returns the key under a unique name: many pages open one link, and the server lets in one participant of each
   * name. Returns the given key if no platform serves the page; null if the owner revoked the link. Never rejects.
   */
  askPlace(key: VisitorKey): Promise<VisitorKey | null>;
  openSession(key: VisitorKey, handlers: VisitorHandlers, signal: AbortSignal): Promise<OpenedVisit>;
  probe(key: VisitorKey, signal: AbortSignal): Promise<ProbeResult>;
  watchPage(handlers: PageLifeHandlers): PageLife;
  /** Calls at the end of a link, after so many milliseconds, in a hidden page too. @returns a function that calls it off */
  after(ms: number, act: () => void): () => void;
  /** Resolves after so many milliseconds, in a hidden page too. */
  sleep(ms: number): Promise<void>;
  /** Whether the browser reports a network. */
  isOnline(): boolean;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/** A visitor's way into a room, and back into it for as long as the link is good. */
export interface VisitorRoom {
  join(key: VisitorKey): void;
  /** Calls a participant of the room. @throws a sentence while this page is not in it; what LiveKit throws */
  call(call: VisitorCall): Promise<string>;
  /** Sends a packet to a participant of the room. It may get lost, and always does outside the room. */
  sendLossy: VisitorSession['sendLossy'];
  /** Leaves the room; the state becomes `ended`, `left`. */
  leave(): Promise<void>;
  dispose(): void;
}

/** The time in one room, from `join` until its end, through every rejoin. */
interface Visit {
  key: VisitorKey;
  ended: AbortController;
  session: VisitorSession | null;
  /** Ends the wait before the next attempt. */
  kick: () => void;
  /** Calls off the wait for the link's end. */
  stopWaiting: () => void;
}

/** A page that is removed so shortly before its link ends is removed for that: the platform has another clock. */
const CLOCKS_APART_MS = 10_000;

export function createVisitorRoom(deps: VisitorRoomDeps): VisitorRoom {
  let visit: Visit | null = null;
  const page = deps.watchPage({
    onAway(kind) {
      if (kind === 'pagehide') void visit?.session?.close();
    },
    onBack(kind) {
      if (!visit) return;
      if (kind === 'pageshow' && visit.session) void enter(visit, 'The browser had suspended this page.');
      else visit.kick();
    },
  });

  /** Tries to get in, and ends the visit when that fails. `why` is a sentence for a rejoin, null for the first join. */
  async function enter(mine: Visit, why: string | null): Promise<void> {
    mine.session = null;
    const gaveUp = await findWayIn({
      why,
      signal: mine.ended.signal,
      expiresAtMs: () => mine.key.expiresAtMs,
      attempt: () => attemptJoin(mine),
      onRejoining: (attempt, reason) => deps.onState({ kind: 'rejoining', attempt, reason }),
      pause: (attempt) => pause(mine, attempt),
      isOnline: deps.isOnline,
      nowMs: deps.nowMs,
    });
    if (gaveUp) end(mine, gaveUp.reason);
  }

  /** @returns null once it is in the room */
  async function attemptJoin(mine: Visit): Promise<NotIn | null> {
    const { signal } = mine.ended;
    const [probed, key] = await Promise.all([deps.probe(mine.key, signal), deps.askPlace(mine.key)]);
    if (probed.kind === 'refused') return { kind: 'end', reason: probed.reason };
    if (probed.kind === 'unreachable') return { kind: 'rejoin', why: 'The server does not answer.' };
    if (signal.aborted) return null;
    if (key === null) return { kind: 'end', reason: 'link_revoked' };
    const opened = await deps.openSession(key, handlersOf(mine), signal);
    if (!opened.ok) return opened.aftermath;
    if (signal.aborted) {
      await opened.session.close();
      return null;
    }
    mine.session = opened.session;
    deps.onState({ kind: 'connected' });
    deps.onParticipants(opened.session.participants());
    return null;
  }

  function handlersOf(mine: Visit): VisitorHandlers {
    const ifCurrent = (act: () => void): void => {
      if (!mine.ended.signal.aborted) act();
    };
    return {
      onParticipants: (participants) => ifCurrent(() => deps.onParticipants(participants)),
      onMetadata: (metadata) => ifCurrent(() => deps.onMetadata(metadata)),
      onData: (packet) => ifCurrent(() => deps.onData(packet)),
      onPicture: (picture) => ifCurrent(() => deps.onPicture(picture)),
      onReconnecting: (reconnecting) =>
        ifCurrent(() => deps.onState(reconnecting ? { kind: 'reconnecting', sinceMs: deps.nowMs() } : { kind: 'connected' })),
      onDisconnected: (aftermath) =>
        ifCurrent(() => {
          if (aftermath.kind === 'end' && aftermath.reason === 'removed') void endRemoved(mine);
          else if (aftermath.kind === 'end') end(mine, aftermath.reason);
          else void enter(mine, aftermath.why);
        }),
    };
  }

  /** Waits before the next attempt: as long as the page is away, otherwise for the back-off. */
  async function pause(mine: Visit, attempt: number): Promise<void> {
    const kicked = new Promise<void>((resolve) => {
      mine.kick = resolve;
    });
    await (page.isAway() ? kicked : Promise.race([kicked, deps.sleep(rejoinWaitMs(attempt, Math.random()))]));
    mine.kick = () => undefined;
  }

  /** The platform removes the pages of a link that has ended or was revoked. */
  async function endRemoved(mine: Visit): Promise<void> {
    if (mine.key.expiresAtMs <= deps.nowMs() + CLOCKS_APART_MS) return end(mine, 'key_expired');
    const place = await deps.askPlace(mine.key);
    end(mine, place === null ? 'link_revoked' : 'removed');
  }

  function end(mine: Visit, reason: EndReason): void {
    if (mine.ended.signal.aborted) return;
    void abandon(mine);
    deps.onParticipants([]);
    const { expiresAtMs, access } = mine.key;
    deps.onState({ kind: 'ended', ...visitEndOf(reason, { nowMs: deps.nowMs(), expiresAtMs, access }) });
  }

  function abandon(mine: Visit): Promise<void> {
    mine.ended.abort();
    mine.stopWaiting();
    mine.kick();
    if (visit === mine) visit = null;
    return mine.session?.close() ?? Promise.resolve();
  }

  return {
    join(key) {
      if (visit) void abandon(visit);
      // The server renews the token of a page in the room, so the page itself leaves when its link ends.
      const stopWaiting = deps.after(key.expiresAtMs - deps.nowMs(), () => end(mine, 'key_expired'));
      const mine: Visit = { key, ended: new AbortController(), session: null, kick: () => undefined, stopWaiting };
      visit = mine;
      deps.onState({ kind: 'joining' });
      void enter(mine, null);
    },
    async call(call) {
      if (!visit?.session) throw new Error('This page is not in the room at the moment.');
      return visit.session.call(call);
    },
    sendLossy: (...packet) => visit?.session?.sendLossy(...packet),
    async leave() {
      const mine = visit;
      if (!mine) return;
      const closed = mine.session?.close();
      end(mine, 'left');
      await closed;
    },
    dispose() {
      if (visit) void abandon(visit);
      page.dispose();
    },
  };
}
