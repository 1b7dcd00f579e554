import { createStore } from 'zustand/vanilla';
import { quoted, shownId } from '../../../common/shown-text.ts';
import { EVENTS_TOPIC } from '../../../protocol/room/room-events.ts';
import type { VisitorKey, VisitorKeyResult } from '../../../protocol/room/room-key.ts';
import { pressOf } from '../../../protocol/wire/emergency-stop.ts';
import { profileOfIdentity } from '../../../protocol/wire/identity.ts';
import type { ScenePlace } from '../../../protocol/wire/place.ts';
import { POSES_TOPIC } from '../../../protocol/wire/pose-packets.ts';
import { EMPTY_OVERLAY, type Overlay } from '../../../protocol/wire/render-state.ts';
import type { RobotId } from '../../../protocol/wire/robot.ts';
import type { SceneId } from '../../../protocol/wire/scene-ids.ts';
import { refusedScene } from '../../../protocol/wire/scene-outcome.ts';
import { WORLD_VERSION } from '../../../protocol/world-stream/packet.ts';
import { WORLD_TOPIC, type WorldFrame } from '../../../protocol/world-stream/world-frame.ts';
import type { WorldReader } from '../../../protocol/world-stream/world-reader.ts';
import type { ConnectionState, EndReason, RoomParticipant } from '../../../room/connection-state.ts';
import type { VisitorRoom } from '../../../room/visitor-room.ts';
import type { DataPacket, ReceivedPicture } from '../../../room/visitor-session.ts';
import { knownAfter } from '../known.ts';
import { statusText } from '../status-text.ts';
import { initialState } from '../store.ts';
import type { Engine, LoadingPart, ViewerState, Visit } from '../types.ts';
import { type Freshness, freshnessOf } from './freshness.ts';
import { createLossMeter } from './loss-meter.ts';
import { createOperatorHands } from './operator-hands.ts';
import type { OperatorSigner } from './operator-signer.ts';
import { createPlayback } from './playback.ts';
import type { PressPaths, StopReport } from './press-paths.ts';
import { createRoundTrips } from './round-trips.ts';
import { runtimeAmong } from './runtime-there.ts';
import { seenScene } from './seen-scene.ts';
import { seenStatusText } from './seen-status.ts';

export interface VisitorRoomEvents {
  onState(state: ConnectionState): void;
  onParticipants(participants: RoomParticipant[]): void;
  onMetadata(metadata: string): void;
  /** Called with the owner's name for the robot, as the platform reports it. */
  onRobotName(name: string): void;
  onData(packet: DataPacket): void;
  onPicture(picture: ReceivedPicture): void;
}

/** Everything around the page of a visitor, passed in so that its wiring can be tested without a browser. */
export interface VisitorDeps {
  /** The link or key that the page was opened with. */
  takenKey: string;
  readKey(text: string): VisitorKeyResult;
  /** Stores the key for a reload of this tab; null removes it. */
  keepKey(key: string | null): void;
  /** Loads the room's code, including LiveKit. */
  createRoom(events: VisitorRoomEvents): Promise<VisitorRoom>;
  createReader(): Pick<WorldReader, 'take' | 'otherVersion'>;
  /** Returns the place of a scene with a robot in it; null if this page does not know the scene. */
  placeOf(sceneId: string, robotId: RobotId): ScenePlace | null;
  /** Opens a robot of this tab alone in place of this page. */
  tryHere(sceneId?: SceneId, robotId?: RobotId): void;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Signs an operator's commands. */
  signer: Pick<OperatorSigner, 'send'>;
  /** Presses the emergency stop over HTTP with the right of an operator's link; null if no platform serves the page. */
  pressOverHttp: PressPaths['http'];
  newId(): string;
  /** Milliseconds since the epoch. */
  epochMs(): number;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
  isHidden(): boolean;
  /** Calls a task periodically; returns a function that stops it. */
  every(periodMs: number, task: () => void): () => void;
  network: { isOnline(): boolean; subscribe(onChange: () => void): () => void };
}

/** The age of the picture, and lists, are updated at this pace. */
const TELL_EVERY_MS = 100;
const SCENE_EVERY_TELLS = 5;
const READ_EVERY_TELLS = 2;
/** The robot's own report counts as its state for at most this time. */
const STATE_GOOD_FOR_MS = 3_000;
/** How long a page that has joined waits for the first state before it appears without one. */
const FIRST_STATE_WITHIN_MS = 2_000;

/** Ends after which the link is invalid for everyone. */
const LINK_OVER: ReadonlySet<string> = new Set<EndReason>(['key_expired', 'link_revoked']);
const PART_MISSING = 'Part of this page could not be loaded. Reload it.';
/** A scene from a file is known only where the file was opened. */
const unknownScene = (sceneId: string): string =>
  `The robot stands in the scene ${quoted(shownId(sceneId))}, which this page does not know and cannot draw. A scene from a file is known only to the page where it was opened. If the scene is from a newer version, reload this page.`;
const otherVersion = (version: number): string =>
  version > WORLD_VERSION
    ? 'The robot sends its world in a newer format than this page supports. Reload the page for the newest viewer.'
    : 'The robot runs an older version, and shows its world in a form that this page does not read. Restart it with this version.';
const OPENED_ELSEWHERE = 'cannot be opened on this page: the robot lives elsewhere. Drop it on the robot’s own page.';
const ONLY_WATCHES = 'This page only watches the robot: its link allows nothing else.';

/**
 * Creates the engine of a page that shows a robot which runs elsewhere, from its stream of states. The page is not a runtime: it
 * starts no simulation, answers no calls and stores no world.
 */
export function createVisitorEngine(deps: VisitorDeps): Engine {
  const store = createStore<ViewerState>(() => ({ ...initialState(), loading: loadingParts(false, false) }));
  const playback = createPlayback();
  let reader = deps.createReader();
  let loss = createLossMeter();
  let key: VisitorKey | null = null;
  let room: VisitorRoom | null = null;
  let roomLoading: Promise<VisitorRoom> | null = null;
  let runtime: RoomParticipant | null = null;
  let offlineSinceMs: number | null = null;
  /** The owner's name for the robot; null if it is unknown. */
  let ownersName: string | null = null;
  /** Whether another runtime has joined. The previous runtime's picture stays until the new one sends a state. */
  let isOtherRuntime = false;
  /** Whether the robot's stream has another version than this page. */
  let isUnreadable = false;
  let newest: WorldFrame | null = null;
  /** The control service has latched the robot's emergency stop. */
  let isPressedInRoom = false;
  let overlay: Overlay = EMPTY_OVERLAY;
  let place: ScenePlace | null = null;
  let joinedAtMs: number | null = null;
  let reports = 0;
  /** When the robot last reported its state. */
  let stateAtMs = Number.NEGATIVE_INFINITY;
  const roundTrips = createRoundTrips();
  let disposed = false;
  let stopSettledBy: StopReport['settledBy'];

  const hands = createOperatorHands({
    room: () => (store.getState().connection.kind === 'connected' ? room : null),
    runtime: () => runtime?.identity ?? null,
    self: () => store.getState().participants.find(({ isSelf }) => isSelf)?.identity ?? null,
    signer: deps.signer,
    takesPosePackets: () => store.getState().runtime?.robot.extra.control?.pose_packets === true,
    changeActions: (change) => store.setState(({ actions }) => ({ actions: change(actions) })),
    onState(next, tookMs) {
      stateAtMs = deps.nowMs();
      store.setState({ runtime: next });
      const isSettled = stopSettledBy === 'word' || (stopSettledBy === 'latch' && next.robot.extra.emergency_stop);
      // The robot answers again, so its own state replaces the platform's report.
      setVisit({ roundTripMs: roundTrips.add(tookMs), stopDone: null, ...(isSettled ? { stopProblem: null } : {}) });
      if (isSettled) stopSettledBy = undefined;
    },
    onScene: (scene) => store.setState({ scene }),
    onStop({ problem, done, settledBy }) {
      stopSettledBy = settledBy;
      setVisit({ stopProblem: problem, stopDone: done });
    },
    pressOverHttp: deps.pressOverHttp,
    newId: deps.newId,
    nowMs: deps.nowMs,
    epochMs: deps.epochMs,
    sleep: deps.sleep,
  });
  const mayCall = (): boolean => key?.access === 'drive';

  const noteNetwork = (): void => store.setState({ offline: !deps.network.isOnline() });
  noteNetwork();
  const stopNetwork = deps.network.subscribe(noteNetwork);
  const stopReporting = deps.every(TELL_EVERY_MS, report);

  function connect(pasted: string): void {
    const read = deps.readKey(pasted);
    if (!read.ok) {
      deps.keepKey(null);
      store.setState({ gateProblem: read.message });
      return;
    }
    key = read.key;
    store.setState({ gateProblem: null, robot: { id: null, name: 'Robot' } });
    setVisit({ access: key.access });
    joinRoom();
  }

  function joinRoom(): void {
    const mine = key;
    if (!mine) return;
    setConnection({ kind: 'joining' });
    roomLoading ??= deps.createRoom({
      onState: setConnection,
      onParticipants,
      onMetadata: noteMetadata,
      onRobotName: noteName,
      onData,
      onPicture: hands.takePicture,
    });
    roomLoading
      .then((loaded) => {
        if (disposed) return loaded.dispose();
        room = loaded;
        if (key === mine) loaded.join(mine);
      })
      .catch(() => {
        roomLoading = null;
        if (key === mine)
          store.setState({ loading: [{ ...roomPart(false), problem: PART_MISSING }, worldPart(false)], phase: 'loading' });
      });
  }

  function setConnection(connection: ConnectionState): void {
    if (disposed) return;
    if (connection.kind === 'connected') joinedAtMs ??= deps.nowMs();
    else offlineSinceMs = null;
    // When LiveKit resumes a connection, the transport of poses stays the same.
    if (connection.kind === 'joining' || connection.kind === 'rejoining') hands.forgetPoseWay();
    // The stored key stays, so that a reload reports the same about an expired link.
    if (connection.kind === 'ended' && LINK_OVER.has(connection.reason)) key = null;
    else if (connection.kind === 'ended' && !connection.canRetry) forgetKey();
    store.setState({ connection });
    report();
  }

  function forgetKey(): void {
    key = null;
    deps.keepKey(null);
  }

  function onParticipants(participants: RoomParticipant[]): void {
    const before = runtime;
    runtime = runtimeAmong(participants, before, store.getState().robot?.id ?? null);
    if (runtime) offlineSinceMs = null;
    // While this page is outside the room, it sees no participants and cannot know when the robot left.
    else if (before) offlineSinceMs = store.getState().connection.kind === 'connected' ? deps.epochMs() : null;
    // The same name may return from another machine, whose clock and stream differ.
    if (runtime && (runtime.identity !== before?.identity || runtime.joinedAtMs !== before.joinedAtMs)) {
      isOtherRuntime = true;
      reader = deps.createReader();
      loss = createLossMeter();
      hands.forgetPoseWay();
    }
    store.setState(({ known, robot }) => ({
      participants,
      known: knownAfter(known, participants),
      ...(runtime ? { robot: { id: robot?.id ?? null, name: ownersName ?? runtime.name } } : {}),
    }));
    const profile = runtime && profileOfIdentity(runtime.identity);
    if (profile) store.setState({ profile });
    report();
  }

  /** A worker has the same name in every room, so the owner's name for the robot takes precedence over its participant's name. */
  function noteName(name: string): void {
    ownersName = name;
    store.setState(({ robot }) => ({ robot: { id: robot?.id ?? null, name } }));
  }

  /**
   * The room's metadata contains the robot's id and the press of its emergency stop. A participant's name is the name that people
   * see.
   */
  function noteMetadata(metadata: string): void {
    isPressedInRoom = pressOf(metadata) !== null;
    const id = robotIdOf(metadata);
    if (id === null || id === store.getState().robot?.id) return;
    store.setState(({ robot }) => ({ robot: { id, name: robot?.name ?? 'Robot' } }));
    // The robot's id determines which participant is the robot.
    onParticipants(store.getState().participants);
  }

  function onData({ bytes, topic, identity }: DataPacket): void {
    if (identity !== runtime?.identity) return;
    // A driver change is shown at once, both to the previous driver and to the new one.
    if (topic === EVENTS_TOPIC && mayCall()) hands.read();
    if (topic === POSES_TOPIC) hands.takePoseAnswer(bytes);
    if (topic !== WORLD_TOPIC) return;
    const nowMs = deps.nowMs();
    const frame = reader.take(bytes, nowMs);
    if (!frame) {
      noteVersion();
      return;
    }
    if (isOtherRuntime) {
      isOtherRuntime = false;
      playback.clear();
    }
    const isFirst = newest === null;
    const isOtherPlace = frame.sceneId !== newest?.sceneId || frame.robotId !== newest.robotId;
    if (isOtherPlace || isUnreadable) enterPlace(frame);
    isUnreadable = false;
    newest = frame;
    overlay = frame.overlay;
    loss.note(frame, nowMs);
    playback.take({ state: frame.state, stateTimeMs: frame.stepTimeMs }, nowMs);
    if (isFirst) report();
  }

  /** A stream in another version is not silence. The page reports it once, with the reason. */
  function noteVersion(): void {
    if (reader.otherVersion === null || isUnreadable) return;
    isUnreadable = true;
    setVisit({ problem: otherVersion(reader.otherVersion) });
  }

  function enterPlace({ sceneId, robotId }: WorldFrame): void {
    playback.clear();
    place = deps.placeOf(sceneId, robotId);
    setVisit({ problem: place === null ? unknownScene(sceneId) : null });
    store.setState(({ layoutVersion }) => ({
      layoutVersion: layoutVersion + 1,
      scene: null,
      ...(place ? { robotKind: place.robot } : {}),
    }));
  }

  function setVisit(change: Partial<Visit>): void {
    store.setState(({ visit }) => ({ visit: { ...(visit ?? NO_VISIT), ...change } }));
  }

  /** Reports the state of the picture: its age, the objects and their positions, and the robot's activity. */
  function report(): void {
    const { visit, connection, loading } = store.getState();
    if (disposed || !visit) return;
    const nowMs = deps.nowMs();
    const ageMs = playback.ageMs(nowMs);
    const isSeen = ageMs !== null;
    const hasJoined = joinedAtMs !== null;
    const phase = phaseOf(connection, isSeen || (joinedAtMs !== null && nowMs - joinedAtMs > FIRST_STATE_WITHIN_MS));
    const robotIsThere = connection.kind === 'connected' && runtime !== null;
    const freshness = freshnessOf(ageMs);
    const lostShare = loss.share(nowMs);
    const isAnswered = nowMs - (hands.unansweredSinceMs() ?? nowMs) <= STATE_GOOD_FOR_MS;
    const parts = loadingParts(hasJoined, isSeen || phase === 'live');
    reports += 1;
    if (mayCall() && phase === 'live' && !deps.isHidden() && reports % READ_EVERY_TELLS === 0) hands.read();
    if (nowMs - stateAtMs > STATE_GOOD_FOR_MS && store.getState().runtime) store.setState({ runtime: null });
    store.setState({
      phase,
      visit: {
        ...visit,
        ageMs,
        freshness,
        robotIsThere,
        offlineSinceMs,
        lostShare,
        isStopped: isPressedInRoom || (newest?.status.emergencyStop ?? false),
        isAnswered,
        roundTripMs: isAnswered ? visit.roundTripMs : null,
        status: freshness === 'live' ? (newest?.status ?? null) : null,
      },
      statusText: textOf(phase, freshness),
      ...(loading.every(({ done }, k) => done === parts[k]?.done) ? {} : { loading: parts }),
      ...(newest && place && !store.getState().runtime && (reports % SCENE_EVERY_TELLS === 0 || store.getState().scene === null)
        ? { scene: seenScene(newest.state, place, newest.stepTimeMs) }
        : {}),
    });
  }

  /** Returns the robot's activity: from its replies for pages that may call it, otherwise from its stream. */
  function textOf(phase: ViewerState['phase'], freshness: Freshness): string {
    if (phase !== 'live') return '';
    const state = store.getState();
    if (state.runtime) return statusText({ ...state, phase });
    return newest ? seenStatusText(newest, freshness) : '';
  }

  connect(deps.takenKey);

  return {
    store,
    frames: { latest: () => playback.shown(deps.nowMs()), overlay: () => overlay },
    layout: () => place,
    connect,
    tryHere: deps.tryHere,
    openScene: () => Promise.resolve(refusedScene(OPENED_ELSEWHERE)),
    heldKey: () => null,
    stop: () => void (mayCall() && hands.stop()),
    // Only a person at the robot's own page releases the emergency stop.
    emergencyStop: (latched) => void (latched && mayCall() && hands.emergencyStop()),
    disconnect() {
      forgetKey();
      void room?.leave();
    },
    retry: joinRoom,
    capture: (...order) => (mayCall() ? hands.capture(...order) : Promise.reject(new Error(ONLY_WATCHES))),
    call: (method, payload, mark) =>
      mayCall() ? hands.call(method, payload, mark === 'agent' ? undefined : mark) : Promise.reject(new Error(ONLY_WATCHES)),
    dispose() {
      disposed = true;
      stopNetwork();
      stopReporting();
      room?.dispose();
    },
  };
}

const NO_VISIT: Visit = {
  access: 'watch',
  robotIsThere: false,
  offlineSinceMs: null,
  freshness: 'none',
  ageMs: null,
  lostShare: 0,
  isStopped: false,
  roundTripMs: null,
  isAnswered: true,
  stopProblem: null,
  stopDone: null,
  status: null,
  problem: null,
};

function phaseOf({ kind }: ConnectionState, isReady: boolean): ViewerState['phase'] {
  if (kind === 'ended') return 'ended';
  if (kind === 'idle') return 'gate';
  return isReady ? 'live' : 'loading';
}

const roomPart = (done: boolean): LoadingPart => ({ id: 'room', label: 'Room', fraction: done ? 1 : 0, done });
const worldPart = (done: boolean): LoadingPart => ({ id: 'world', label: 'The robot’s world', fraction: done ? 1 : 0, done });
const loadingParts = (hasJoined: boolean, isSeen: boolean): LoadingPart[] => [roomPart(hasJoined), worldPart(isSeen)];

function robotIdOf(metadata: string): string | null {
  try {
    const id = (JSON.parse(metadata) as { robot_id?: unknown } | null)?.robot_id;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
