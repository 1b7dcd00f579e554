import { SentenceError } from '../common/sentence-error.ts';
import { HOLDER_BUSY_AFTER_MS, type RobotHolder } from '../protocol/room/holder-question.ts';
import { rejoinWaitMs } from '../protocol/room/rejoin-wait.ts';
import { roomOf } from '../protocol/room/robot-place.ts';
import type { RoomEvent } from '../protocol/room/room-events.ts';
import { encodeRoomKey, type RoomKey, readRoomKey } from '../protocol/room/room-key.ts';
import { createReach, type OutOfReach, type Reach } from '../protocol/room/room-reach.ts';
import { createRoomSessions, type RoomSessions } from '../protocol/room/room-sessions.ts';
import { NOT_IN_ROOM } from '../protocol/texts/room-texts.ts';
import { type CallHandler, createCallDeduplicator } from '../protocol/wire/call-deduplicator.ts';
import { ROOM_SILENT_AFTER_MS } from '../protocol/wire/limits.ts';
import { NOBODY_WATCHES, type WatcherUpdate } from '../protocol/world-stream/audience.ts';
import type { WorldPacket } from '../protocol/world-stream/world-frame.ts';
import type { ConnectionState, EndReason, RoomParticipant } from './connection-state.ts';
import { type EndFacts, endOf } from './ends.ts';
import type { HolderService } from './holder-service.ts';
import { waitForOthers, waitForTab } from './holder-wait.ts';
import type { PageLife, PageLifeHandlers } from './page-life.ts';
import type { ProbeResult } from './probe.ts';
import type { IdentityQuestion, OpenedSession, Picture, RoomSession, SessionHandlers } from './session.ts';
import type { TabLock } from './tab-lock.ts';
import { findWayIn, type NotIn } from './way-in.ts';
import type { Timers } from './worker-timers.ts';

/** The outside world, passed in so that the manager can be tested without a network. */
export interface RoomManagerDeps {
  /** Answers a call. The manager handles exceptions, repeats and sizes. */
  onCall: CallHandler;
  onState(state: ConnectionState): void;
  onParticipants(participants: RoomParticipant[]): void;
  /** A participant has left the room. */
  onLeft(identity: string): void;
  /** Called when the watchers of the robot change. A tab outside a room has none. */
  onWatchers(update: WatcherUpdate): void;
  /** Called when the server has extended the key, which then opens the same place for longer. */
  onKey(key: RoomKey): void;
  /** Called with the control service's metadata of the room: JSON text, or empty. */
  onMetadata(metadata: string): void;
  /** Called with the reason when the tab becomes unreachable, and with null when it is reachable again. */
  onOutOfReach(why: OutOfReach | null): void;
  openSession(key: RoomKey, handlers: SessionHandlers, signal: AbortSignal): Promise<OpenedSession>;
  probe(key: RoomKey, signal: AbortSignal): Promise<ProbeResult>;
  /** The platform that serves the page. Absent without one. */
  holders?: HolderService;
  createLock(onStolen: () => void): TabLock;
  watchPage(handlers: PageLifeHandlers): PageLife;
  timers: Timers;
  /** Whether the browser reports a network. */
  isOnline(): boolean;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

export interface RoomManager {
  /**
   * Leaves the previous room and joins with a key. Reports `joining` once no other tab of this browser holds the robot. With
   * `takeOver` it joins even when another tab does, or another page of the platform. If another is the robot, it ends, and joins by
   * itself as soon as the robot is free or its holder is dead.
   */
  join(key: RoomKey, options?: { takeOver?: boolean }): void;
  /** Leaves the room; the state becomes `ended`, `left`. Ends the wait for the robot, without a state. */
  leave(): Promise<void>;
  /** @throws A sentence when there is no connection or the participant is not in the room. */
  sendJpeg(picture: Picture): Promise<void>;
  /** Sends to all participants of the room; does nothing outside a room. */
  sendEvent(event: RoomEvent): void;
  /** Sends packets to all who watch; without a room they are lost, as any of them may be. */
  sendWorld(packets: readonly WorldPacket[]): void;
  dispose(): void;
}

const LOOKING = 'Another page has joined as this robot. This tab looks whose it is.';

/** The time in one room, from `join` until its end, through every rejoin. There is only one at a time. */
interface Membership {
  key: RoomKey;
  ended: AbortController;
  session: RoomSession | null;
  /** Of the other participants. */
  sessions: RoomSessions;
  /** Whether it may displace another robot: until it is in the room, and only on request or if the other is dead. */
  mayPutOut: boolean;
  /** Whether it began to join: the platform may have a participant of this tab. */
  hasPlace: boolean;
  /** Asks the SFU about the current session, or the last one. */
  isIdentityTaken: IdentityQuestion | null;
  reach: Reach;
  silentSinceMs: number | null;
  reconnectingSinceMs: number | null;
  /** Ends the wait before the next attempt. */
  kick: () => void;
}

const lockOf = (key: RoomKey): string => `simplesim:${roomOf(key)}`;

/** The holder of the robot, if a source was asked; null if unknown. */
interface HolderFacts {
  holder: RobotHolder | null;
}

/** Keeps a tab in its room: joins, lets LiveKit resume, rejoins when LiveKit has given up, and reports why it ended. */
export function createRoomManager(deps: RoomManagerDeps): RoomManager {
  const onCall = createCallDeduplicator(deps.onCall, deps.nowMs);
  let membership: Membership | null = null;
  /** Aborted when the tab stops waiting for the robot of another. */
  let waiting: AbortController | null = null;

  const lock = deps.createLock(() => {
    if (membership) end(membership, 'taken_over', 'this_browser');
  });
  const page = deps.watchPage({
    onAway(kind) {
      // On freeze LiveKit leaves automatically. In all cases the tab rejoins when the page is back.
      if (kind === 'freeze' || !membership) return;
      void membership.session?.close();
      // LiveKit's goodbye may get lost, and a join under way sends none.
      if (membership.hasPlace) deps.holders?.reportLeft(membership.key);
    },
    onBack(kind) {
      if (!membership) return;
      if (kind === 'pageshow' && membership.session) void enter(membership, 'The browser had suspended this page.');
      else membership.kick();
    },
  });

  function join(key: RoomKey, { takeOver = false }: { takeOver?: boolean } = {}): void {
    begin(key, { steal: takeOver, mayPutOut: takeOver });
  }

  function begin(key: RoomKey, { steal, mayPutOut }: { steal: boolean; mayPutOut: boolean }): void {
    waiting?.abort();
    if (membership) void abandon(membership);
    const mine = newMembership(key, mayPutOut);
    membership = mine;
    void lock.acquire(lockOf(key), { steal }).then((acquired) => {
      if (mine.ended.signal.aborted) {
        if (!membership) lock.release();
        return;
      }
      if (!acquired) return end(mine, 'held_elsewhere', 'this_browser');
      deps.onState({ kind: 'joining' });
      void enter(mine, null);
    });
  }

  /** Tries to get in, and ends the membership when that fails. `why` is a sentence for a rejoin, null for the first join. */
  async function enter(mine: Membership, why: string | null): Promise<void> {
    mine.session = null;
    const gaveUp = await findWayIn<HolderFacts>({
      why,
      signal: mine.ended.signal,
      expiresAtMs: () => mine.key.expiresAtMs,
      async attempt() {
        const tried = await attemptJoin(mine, why === null);
        const isReplaced = tried?.kind === 'end' && tried.reason === 'taken_over' && tried.facts === undefined;
        return isReplaced && !mine.ended.signal.aborted ? whoseNow(mine) : tried;
      },
      onRejoining: (attempt, reason) => deps.onState({ kind: 'rejoining', attempt, reason }),
      pause: (attempt) => pause(mine, attempt),
      isOnline: deps.isOnline,
      nowMs: deps.nowMs,
    });
    if (gaveUp) end(mine, gaveUp.reason, gaveUp.facts?.holder);
  }

  function newMembership(key: RoomKey, mayPutOut: boolean): Membership {
    const ended = new AbortController();
    const reach = createReach(after, {
      onLost: (why) => deps.onOutOfReach(why),
      onReachable: () => deps.onOutOfReach(null),
    });
    ended.signal.addEventListener('abort', () => reach.over(), { once: true });
    return {
      key,
      ended,
      session: null,
      sessions: createRoomSessions((identity) => deps.onLeft(identity)),
      mayPutOut,
      hasPlace: false,
      isIdentityTaken: null,
      reach,
      silentSinceMs: null,
      reconnectingSinceMs: null,
      kick: () => {},
    };
  }

  function after(ms: number, act: () => void): () => void {
    const timer = deps.timers.setTimeout(act, ms);
    return () => deps.timers.clear(timer);
  }

  /** Reports the connection in the room. A reconnect by LiveKit takes precedence over silence. */
  function reportConnection({ reconnectingSinceMs, silentSinceMs }: Membership): void {
    if (reconnectingSinceMs !== null) deps.onState({ kind: 'reconnecting', sinceMs: reconnectingSinceMs });
    else if (silentSinceMs !== null) deps.onState({ kind: 'silent', sinceMs: silentSinceMs });
    else deps.onState({ kind: 'connected' });
  }

  /** @returns null once it is in the room, or not wanted there any more */
  async function attemptJoin(mine: Membership, isFirst: boolean): Promise<NotIn<HolderFacts> | null> {
    const { signal } = mine.ended;
    const [probed, holderAnswer] = await Promise.all([deps.probe(mine.key, signal), deps.holders?.ask(mine.key) ?? null]);
    if (probed.kind === 'refused') return { kind: 'end', reason: probed.reason };
    if (probed.kind === 'unreachable') return { kind: 'rejoin', why: 'The server does not answer.' };
    // A participant that came while this tab was away has the robot; another join would throw it out.
    if (holderAnswer?.holder && !holderAnswer.holder.is_dead && !mine.mayPutOut)
      return { kind: 'end', reason: isFirst ? 'held_by_another' : 'taken_over', facts: { holder: holderAnswer.holder } };
    // Of those without a connection one may be a join of this tab whose answer got lost.
    if (!holderAnswer && (await mine.isIdentityTaken?.(mine.key)))
      return { kind: 'end', reason: 'taken_over', facts: { holder: null } };
    if (signal.aborted) return null;
    mine.hasPlace = true;
    const opened = await deps.openSession(holderAnswer?.key ?? mine.key, handlersOf(mine), signal);
    mine.isIdentityTaken = opened.isIdentityTaken ?? mine.isIdentityTaken;
    if (!opened.ok) return opened.aftermath;
    if (signal.aborted) {
      await opened.session.close();
      return null;
    }
    mine.session = opened.session;
    mine.mayPutOut = false;
    mine.silentSinceMs = null;
    mine.reconnectingSinceMs = null;
    mine.reach.joined();
    const { holders } = deps;
    const body = holders?.busyReport(mine.key) ?? null;
    deps.timers.reportWhenBusy(holders && body !== null ? { url: holders.reportUrl, body, afterMs: HOLDER_BUSY_AFTER_MS } : null);
    reportConnection(mine);
    deps.onParticipants(opened.session.participants());
    return null;
  }

  /**
   * Determines the holder of the robot after the server displaced this tab by another one of its name. A tab of this browser that lost its lock
   * in the middle of its join displaces the one that has the lock, and leaves: this tab then comes back. If no platform names
   * the holder, the other tab has it: two tabs that both claim it would never end.
   */
  async function whoseNow(mine: Membership): Promise<NotIn<HolderFacts>> {
    const holderAnswer = await deps.holders?.ask(mine.key);
    if (holderAnswer && !holderAnswer.holder)
      return { kind: 'rejoin', why: 'Another tab of this browser was this robot for a moment.' };
    return { kind: 'end', reason: 'taken_over', facts: { holder: holderAnswer?.holder ?? null } };
  }

  function handlersOf(mine: Membership): SessionHandlers {
    const ifCurrent = (act: () => void): void => {
      if (!mine.ended.signal.aborted) act();
    };
    return {
      onCall,
      onParticipants: (participants) => ifCurrent(() => deps.onParticipants(participants)),
      onPeople: (people, isEverybody) =>
        ifCurrent(() => (isEverybody ? mine.sessions.joined(people) : mine.sessions.heard(people))),
      onWatchers: (update) => ifCurrent(() => deps.onWatchers(update)),
      onReconnecting: (reconnecting) =>
        ifCurrent(() => {
          mine.reconnectingSinceMs = reconnecting ? deps.nowMs() : null;
          mine.reach.reconnecting(reconnecting);
          reportConnection(mine);
        }),
      onSilent: (silent) =>
        ifCurrent(() => {
          mine.silentSinceMs = silent ? deps.nowMs() - ROOM_SILENT_AFTER_MS : null;
          mine.reach.silent(silent);
          reportConnection(mine);
        }),
      onDisconnected: (aftermath) =>
        ifCurrent(() => {
          deps.onWatchers(NOBODY_WATCHES);
          if (aftermath.kind === 'end' && aftermath.reason !== 'taken_over') return end(mine, aftermath.reason);
          mine.reach.left();
          if (aftermath.kind === 'rejoin') void enter(mine, aftermath.why);
          else void comeBackUnlessTaken(mine);
        }),
      onToken: (token) => ifCurrent(() => lengthen(mine, token)),
      onMetadata: (metadata) => ifCurrent(() => deps.onMetadata(metadata)),
    };
  }

  async function comeBackUnlessTaken(mine: Membership): Promise<void> {
    mine.session = null;
    deps.onState({ kind: 'rejoining', attempt: 1, reason: LOOKING });
    const outcome = await whoseNow(mine);
    if (mine.ended.signal.aborted) return;
    if (outcome.kind === 'end') end(mine, outcome.reason, outcome.facts?.holder);
    else void enter(mine, outcome.why);
  }

  /**
   * Adopts a token that lasts beyond the key. A server gives these to participants, so that a reload or a rejoin needs no new
   * link.
   */
  function lengthen(mine: Membership, token: string): void {
    const { sfuUrl, room, identity, expiresAtMs } = mine.key;
    const read = readRoomKey(encodeRoomKey({ sfuUrl, token }), { nowMs: deps.nowMs(), pageProtocol: 'http:' });
    if (!read.ok || read.key.room !== room || read.key.identity !== identity || read.key.expiresAtMs <= expiresAtMs) return;
    mine.key = { ...read.key, name: mine.key.name };
    deps.onKey(mine.key);
  }

  /** Waits for the next attempt: as long as the page is away, otherwise for the back-off with up to a fifth of jitter. */
  function pause(mine: Membership, attempt: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: number | undefined;
      const done = (): void => {
        deps.timers.clear(timer);
        mine.kick = () => {};
        mine.ended.signal.removeEventListener('abort', done);
        resolve();
      };
      mine.kick = done;
      mine.ended.signal.addEventListener('abort', done, { once: true });
      if (page.isAway()) return;
      timer = deps.timers.setTimeout(done, rejoinWaitMs(attempt, Math.random()));
    });
  }

  function end(mine: Membership, reason: EndReason, holder?: EndFacts['holder']): void {
    if (mine.ended.signal.aborted) return;
    void abandon(mine);
    lock.release();
    deps.onParticipants([]);
    deps.onWatchers(NOBODY_WATCHES);
    reportEnd(mine.key, reason, holder);
    if (holder || (deps.holders && reason === 'taken_over')) waitFor(mine.key, reason, holder ?? null);
  }

  function reportEnd({ expiresAtMs, profile }: RoomKey, reason: EndReason, holder: EndFacts['holder']): void {
    deps.onState({
      kind: 'ended',
      ...endOf(reason, { nowMs: deps.nowMs(), expiresAtMs, profile, ...(holder ? { holder } : {}) }),
    });
  }

  /** Waits for the robot of another, and joins as soon as it is free. */
  function waitFor(key: RoomKey, reason: EndReason, holder: EndFacts['holder']): void {
    const mine = new AbortController();
    waiting = mine;
    const isTab = holder === 'this_browser';
    void (isTab ? waitForTab : waitForOthers)(
      {
        lockName: lockOf(key),
        lock,
        ask: async () => (await deps.holders?.ask(key, true)) ?? null,
        pause: (ms) => new Promise((resolve) => deps.timers.setTimeout(resolve, ms)),
        nowMs: deps.nowMs,
        onHolder: (present) => reportEnd(key, reason, present),
        onFree: (isHolderDead) => begin(key, { steal: false, mayPutOut: isHolderDead }),
      },
      mine.signal,
    );
  }

  function abandon(mine: Membership): Promise<void> {
    mine.ended.abort();
    deps.timers.reportWhenBusy(null);
    if (membership === mine) membership = null;
    return mine.session?.close() ?? Promise.resolve();
  }

  return {
    join,
    async leave() {
      const mine = membership;
      waiting?.abort();
      if (!mine) return;
      const closed = mine.session?.close();
      end(mine, 'left');
      await closed;
    },
    async sendJpeg(picture) {
      if (!membership?.session) throw new SentenceError(NOT_IN_ROOM);
      await membership.session.sendJpeg(picture);
    },
    sendEvent: (event) => membership?.session?.sendEvent(event),
    sendWorld: (packets) => membership?.session?.sendWorld(packets),
    dispose() {
      waiting?.abort();
      if (membership) void abandon(membership);
      lock.release();
      page.dispose();
    },
  };
}
