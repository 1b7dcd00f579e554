import type { IncomingCall } from '../../protocol/call-desk.ts';
import { PAGE } from '../../protocol/caller.ts';
import { contractOf } from '../../protocol/contract.ts';
import type { RuntimeProfile } from '../../protocol/profile.ts';
import { stoppedOutOfReach } from '../../protocol/rcw-texts.ts';
import { DEFAULT_ROBOT_ID, type RobotId } from '../../protocol/robot.ts';
import { robotRefusal } from '../../protocol/robots.ts';
import { encodeRoomKey, type RoomKey } from '../../protocol/room-key.ts';
import type { OutOfReach } from '../../protocol/room-reach.ts';
import { isSceneId, type SceneId } from '../../protocol/scene-ids.ts';
import type { ConnectionState } from '../../room/connection-state.ts';
import type { RoomManager } from '../../room/room-manager.ts';
import type { StoredAction } from '../../runtime/action-record.ts';
import type { ControlTrust } from '../../runtime/host/sim-messages.ts';
import { notReadyReply } from '../../runtime/not-ready.ts';
import { encodeGuard } from '../../runtime/reply.ts';
import type { EngineDeps } from './engine-deps.ts';
import * as rules from './engine-rules.ts';
import { createKeptPlace } from './kept/kept-place.ts';
import { knownAfter } from './known.ts';
import { isReachable, isRobotLoaded, setPart, whatIsLoading } from './loading.ts';
import { createSignedLine, type SignedLine } from './signed-line.ts';
import type { AskedCall } from './simulation-client.ts';
import { statusText } from './status-text.ts';
import { createViewerStore } from './store.ts';
import { restoredActions } from './timeline.ts';
import type { Engine, ViewerState } from './types.ts';
import { startWorld, type WorldLink } from './world-link.ts';

/** Progress of the room part when its code is loaded and the room is not joined yet. */
const ROOM_CODE_LOADED = 0.5;
/** A simulation that ran at least this long is started again after a fault. */
const RESTART_AFTER_MS = 10_000;
const PAGE_PICTURE_QUALITY = 0.7;

/**
 * Creates the robot of one tab: key, room, simulation and cameras, wired together. The world starts at once; the cameras and the
 * room start when there is a key. With a key in the link or kept by this tab it joins by itself.
 */
export function createEngine(deps: EngineDeps): Engine {
  const store = createViewerStore();
  const taken = rules.readTaken(deps);
  /** The robot's contract: a key's identity names it; without a key, the address does. */
  let profile = taken?.profile ?? deps.contract.profile ?? 'simulator';
  store.setState({ profile });
  /** The scene of the next world that begins anew. */
  let { sceneId } = deps;
  /** The robot that is asked for. */
  let { robotId } = deps;
  let key: RoomKey | null = null;
  let room: RoomManager | null = null;
  let roomLoading: Promise<RoomManager> | null = null;
  // With a good key in the link the first world starts with the results of its place.
  let results = taken && { place: rules.placeOf(taken), store: deps.openResults(rules.placeOf(taken)) };
  let camerasWanted = false;
  let disposed = false;
  let worldStartedAtMs = 0;
  let trust: ControlTrust | null = null;
  /** The button at the robot stays pressed, whatever happens to the world. */
  let emergencyStopped = deps.wasEmergencyStopped;
  /** Why nobody in the room can reach the robot at the moment. */
  let outOfReach: OutOfReach | null = null;
  /** The times of the page's last few attempts to come back. */
  let comeBacks: number[] = [];
  const keptPlace = createKeptPlace({
    marks: deps.worldMark,
    seed: deps.seed,
    store,
    nowMs: deps.nowMs,
    tell: (order) => world.simulation.keep(order),
    restart: restartWorld,
  });
  if (results) keptPlace.comeBack(results.place);
  let world = startWorldWith(results?.store.load() ?? []);

  function startWorldWith(storedResults: StoredAction[]): WorldLink {
    worldStartedAtMs = deps.nowMs();
    // Behind the gate, where the refusal stands, a robot that cannot keep the contract is not there.
    const startedRobotId = robotRefusal(robotId, profile) === null ? robotId : DEFAULT_ROBOT_ID;
    store.setState({ actions: restoredActions(storedResults), robotKind: startedRobotId });
    const started = startWorld(deps, store, {
      contract: { ...deps.contract, profile },
      storedResults,
      seed: keptPlace.seed(),
      sceneId,
      robotId: startedRobotId,
      keep: keptPlace.order(),
      room: () => room,
      onBroken: restartAfterFault,
      onKeeper: hearKeeper,
    });
    if (emergencyStopped && contractOf(profile).hasEmergencyStop) started.simulation.setEmergencyStop(true, PAGE);
    if (results) started.keepResultsIn(results.store);
    if (camerasWanted) started.wantCameras();
    if (trust) started.simulation.setTrust(trust);
    return started;
  }

  /**
   * Starts the simulation again after a fault. One that breaks down again at once stays down, with its problem on the page,
   * unless it had continued a kept world that may be the cause.
   */
  function restartAfterFault(): void {
    if (disposed) return;
    const beginsAnew = keptPlace.failed();
    if (!beginsAnew && deps.nowMs() - worldStartedAtMs <= RESTART_AFTER_MS) return;
    const brokenIn = world.layout()?.scene_id;
    if (isSceneId(brokenIn)) sceneId = brokenIn;
    restartWorld();
    store.setState({ restartedAtMs: deps.nowMs() });
  }

  function restartWorld(): void {
    world.dispose();
    store.setState({ runtime: null, scene: null });
    world = startWorldWith(results?.store.load() ?? []);
  }

  let line = openLine();

  function openLine(): SignedLine | null {
    return contractOf(profile).isSigned
      ? createSignedLine({ holder: rules.PAGE_HOLDER, nowMs: deps.nowMs, tell: tellTrust })
      : null;
  }

  /** @returns whether the contract has changed; the world then has to start again */
  function adoptProfile(next: RuntimeProfile): boolean {
    if (next === profile) return false;
    profile = next;
    trust = null;
    line = openLine();
    store.setState({ profile });
    return true;
  }

  const stopDeriving = store.subscribe(derivePhase);
  const tellNetwork = (): void => store.setState({ offline: !deps.network.isOnline() });
  tellNetwork();
  const stopMarking = deps.onPageHide(keptPlace.goAway);
  const stopNetwork = deps.network.subscribe(() => {
    tellNetwork();
    // An unreachable server may have been caused by this computer's own network.
    const { connection, offline } = store.getState();
    if (!offline && connection.kind === 'ended' && connection.reason === 'unreachable') joinRoom(false);
  });

  function tellTrust(next: ControlTrust): void {
    trust = next;
    world.simulation.setTrust(next);
  }

  /** Derives the phase from key, connection and loading. It is never set anywhere else. */
  function derivePhase(state: ViewerState): void {
    const phase = phaseOf(state);
    if (phase === state.phase) return;
    store.setState({ phase, statusText: statusText({ ...state, phase }) });
  }

  function phaseOf({ connection, loading, local }: ViewerState): ViewerState['phase'] {
    if (local) return isRobotLoaded(loading) ? 'live' : 'loading';
    if (connection.kind === 'ended') return 'ended';
    if (connection.kind === 'idle') return 'gate';
    return isReachable(loading) ? 'live' : 'loading';
  }

  /** Returns why the robot cannot enter a room or play alone under this contract; null when it can. */
  const entryProblem = (next: RuntimeProfile, wantedRobot: RobotId = robotId): string | null =>
    deps.isSecurePage ? robotRefusal(wantedRobot, next) : rules.INSECURE_PAGE;

  function connect(pasted: string): void {
    const read = rules.readKey(deps, pasted);
    const gateProblem = !read.ok ? read.message : entryProblem(read.key.profile);
    if (!read.ok || gateProblem !== null) {
      store.setState({ gateProblem });
      return;
    }
    const isOther = adoptProfile(read.key.profile);
    if (store.getState().local) leaveLocal();
    key = read.key;
    deps.keepKey(encodeRoomKey(key));
    store.setState({ gateProblem: null, robot: { id: key.robotId, name: key.name ?? key.robotId ?? 'Robot' } });
    enterWorldOf(key, isOther);
    joinRoom(false);
  }

  function tryHere(wantedScene: SceneId = sceneId, wantedRobot: RobotId = robotId): void {
    if (store.getState().connection.kind !== 'idle') return;
    const localProfile = deps.contract.profile ?? 'simulator';
    const gateProblem = entryProblem(localProfile, wantedRobot);
    if (gateProblem !== null) {
      store.setState({ gateProblem });
      return;
    }
    const isOtherContract = adoptProfile(localProfile);
    if (isOtherContract) results = null;
    if (isOtherContract || wantedScene !== sceneId || wantedRobot !== robotId) {
      sceneId = wantedScene;
      robotId = wantedRobot;
      restartWorld();
    }
    wantCameras();
    line?.enter(rules.LOCAL_PLACE, '');
    enterLocalPlace(false);
    store.setState({ local: true, gateProblem: null, robot: { id: null, name: rules.LOCAL_ROBOT_NAME } });
  }

  function enterLocalPlace(isNew: boolean): void {
    const place = deps.localPlace(isNew);
    if (place !== null) keptPlace.enter(place);
  }

  function hearKeeper(news: Parameters<typeof keptPlace.hear>[0]): void {
    keptPlace.hear(news);
    // Only a duplicate of this tab knows the place, and now has it.
    if (news.kind === 'keeping' && news.state === 'elsewhere' && store.getState().local) enterLocalPlace(true);
  }

  /** Discards the world in play, so that its changes do not reach the next user. */
  function leaveLocal(): void {
    keptPlace.leave();
    restartWorld();
    store.setState({ local: false, robot: null });
  }

  function wantCameras(): void {
    if (camerasWanted) return;
    camerasWanted = true;
    world.wantCameras();
  }

  /** Uses the running world for the first place, unless it keeps another contract or results of that place must be restored. */
  function enterWorldOf(next: RoomKey, isOtherContract: boolean): void {
    const place = rules.placeOf(next);
    if (results?.place === place && !isOtherContract) return;
    const isFirst = results === null && !isOtherContract;
    results = { place, store: deps.openResults(place) };
    if (isFirst && results.store.load().length === 0) {
      world.keepResultsIn(results.store);
      return;
    }
    keptPlace.turnAway();
    restartWorld();
  }

  function joinRoom(takeOver: boolean): void {
    const mine = key;
    if (!mine) return;
    setConnection({ kind: 'joining' });
    setPart(store, 'room', { fraction: 0 });
    loadRoom()
      .then((loaded) => {
        if (disposed || key !== mine) return;
        setPart(store, 'room', { fraction: ROOM_CODE_LOADED, note: 'Joining' });
        loaded.join(mine, { takeOver });
      })
      .catch(() => {
        roomLoading = null;
        if (key === mine) setPart(store, 'room', { fraction: 0, problem: 'Part of this page could not be loaded. Reload it.' });
      });
  }

  function loadRoom(): Promise<RoomManager> {
    roomLoading ??= deps
      .createRoom({
        onCall: answerRoom,
        onOutOfReach: stopOutOfReach,
        onState: onRoomState,
        onParticipants: (participants) =>
          store.setState(({ known }) => ({ participants, known: knownAfter(known, participants) })),
        onKey: lengthenKey,
        onMetadata: (metadata) => {
          if (key) line?.enter({ robotId: key.robotId ?? '', session: key.room }, metadata);
        },
      })
      .then((created) => {
        if (disposed) created.dispose();
        room = created;
        return created;
      });
    return roomLoading;
  }

  /** The room reports `joining` when no other tab of this browser is the robot. From then on the cameras are needed. */
  function onRoomState(connection: ConnectionState): void {
    if (disposed) return;
    if (connection.kind === 'joining') {
      wantCameras();
      if (key) keptPlace.enter(rules.placeOf(key));
    }
    setConnection(connection);
  }

  function setConnection(connection: ConnectionState): void {
    if (disposed) return;
    if (connection.kind === 'connected') setPart(store, 'room', { done: true });
    const isBack = connection.kind === 'ended' && connection.reason === 'session_deleted' && comeBack(connection);
    if (connection.kind === 'ended') {
      // The caller that commanded the robot cannot reach it any more; before the room was joined there was none.
      if (rules.hasBeenInRoom(store.getState().connection))
        world.simulation.cancelActive({ kind: 'robot', what: "the robot's tab, which left the room" });
      if (!connection.canRetry && !isBack) forgetKey();
      if (!isBack && rules.ENDS_THE_WORLD.has(connection.reason)) keptPlace.leave();
    }
    world.setQuiet(connection.kind === 'ended');
    store.setState({ connection: isBack ? { kind: 'rejoining', attempt: 1, reason: rules.COMING_BACK } : connection });
  }

  /**
   * Tries to come back after the session was closed, most often by a program's end. If the platform opens it again, the robot
   * continues with its world in a new room.
   * @returns whether it tries; if that fails, the end is reported after all
   */
  function comeBack(end: ConnectionState & { kind: 'ended' }): boolean {
    const mine = key;
    const isOften = comeBacks.filter((atMs) => deps.nowMs() - atMs < rules.COME_BACKS_WITHIN_MS).length >= rules.COME_BACKS_MAX;
    if (!mine || !deps.askToComeBack || isOften) return false;
    comeBacks = [...comeBacks.slice(1 - rules.COME_BACKS_MAX), deps.nowMs()];
    void deps.askToComeBack(mine.token).then((text) => {
      if (disposed || key !== mine) return;
      const read = text === null ? null : rules.readKey(deps, text);
      if (!read?.ok) {
        forgetKey();
        keptPlace.leave();
        world.setQuiet(true);
        store.setState({ connection: end });
        return;
      }
      key = read.key;
      deps.keepKey(encodeRoomKey(key));
      const place = rules.placeOf(key);
      results = { place, store: deps.openResults(place) };
      world.keepResultsIn(results.store);
      joinRoom(false);
    });
    return true;
  }

  /** Keeps the longer key, so that a reload finds the one that lasts longest. */
  function lengthenKey(longer: RoomKey): void {
    if (key?.room !== longer.room) return;
    key = longer;
    deps.keepKey(encodeRoomKey(longer));
  }

  function forgetKey(): void {
    key = null;
    deps.keepKey(null);
  }

  /** Answers every call, from the room or the page: at once with NOT_READY while something loads, otherwise by the runtime. */
  function answer(call: AskedCall): Promise<string> {
    const loading = whatIsLoading(store.getState().loading);
    if (loading) return Promise.resolve(notReadyReply(call.method, call.payload, loading));
    return world.simulation.call(call);
  }

  /** Stops a velocity that nobody in the room can end any more; in the physical robot's contract it holds until somebody ends it. */
  function stopOutOfReach(why: OutOfReach | null): void {
    if (disposed) return;
    outOfReach = why;
    if (why !== null && contractOf(profile).holdsVelocity)
      world.simulation.cancelActive({ kind: 'robot', what: rules.stopperOf(why) });
  }

  /** Answers a call from the room. Calls that still come in while the replies get lost must not start the robot again. */
  function answerRoom(call: IncomingCall): Promise<string> {
    const isRefused = outOfReach !== null && contractOf(profile).holdsVelocity && rules.MAY_MOVE.has(call.method);
    return isRefused ? Promise.resolve(encodeGuard(stoppedOutOfReach(rules.stopperOf(outOfReach)))) : answer(call);
  }

  if (deps.takenKey !== null) connectAtStart(deps.takenKey);

  function connectAtStart(taken: string): void {
    connect(taken);
    // A key refused here would be refused after every reload.
    if (key === null) deps.keepKey(null);
  }

  return {
    store,
    frames: { latest: () => world.latest(), overlay: () => world.overlay() },
    layout: () => world.layout(),
    connect,
    tryHere,
    heldKey: () => key && { key, text: encodeRoomKey(key) },
    stop: () => world.simulation.cancelActive(PAGE),
    emergencyStop(latched) {
      emergencyStopped = latched;
      deps.keepEmergencyStop(latched);
      world.simulation.setEmergencyStop(latched, PAGE);
    },
    disconnect() {
      if (store.getState().local) return leaveLocal();
      forgetKey();
      const { kind } = store.getState().connection;
      if (room && kind !== 'ended' && kind !== 'idle') void room.leave();
      else store.setState({ connection: { kind: 'idle' }, participants: [], known: [] });
    },
    retry() {
      if (store.getState().loading.some(({ id, problem }) => id === 'physics' && problem !== undefined)) restartWorld();
      if (key) joinRoom(true);
    },
    async capture(camera, widthPx, heightPx) {
      const renderState = world.latest();
      if (!renderState) throw new Error('The robot is still loading. Ask again in a moment.');
      const cameras = await world.cameras();
      const { jpeg } = await cameras.capture({ renderState, camera, widthPx, heightPx, quality: PAGE_PICTURE_QUALITY });
      return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' });
    },
    async call(method, payload = {}, hand) {
      const request = line
        ? await line.wrap(method, payload as Record<string, unknown>)
        : { method, payload: JSON.stringify(payload ?? {}) };
      const text = await answer({
        requestId: deps.newRequestId(),
        ...request,
        callerIdentity: null,
        ...(hand ? { hand } : {}),
      });
      return JSON.parse(text) as unknown;
    },
    dispose() {
      disposed = true;
      stopDeriving();
      stopNetwork();
      stopMarking();
      keptPlace.dispose();
      room?.dispose();
      world.dispose();
    },
  };
}
