import type { CaptureInput } from '../../cameras/camera-client.ts';
import { placeOf } from '../../protocol/room/robot-place.ts';
import { asksToTakeOver, encodeRoomKey, type RoomKey } from '../../protocol/room/room-key.ts';
import type { OutOfReach } from '../../protocol/room/room-reach.ts';
import { stoppedOutOfReach } from '../../protocol/texts/rcw-texts.ts';
import type { IncomingCall } from '../../protocol/wire/call-deduplicator.ts';
import { PAGE } from '../../protocol/wire/caller.ts';
import { cameraView } from '../../protocol/wire/capture-frame.ts';
import { contractOf } from '../../protocol/wire/contract.ts';
import { pressOf } from '../../protocol/wire/emergency-stop.ts';
import { ownerOrderOf } from '../../protocol/wire/owner-order.ts';
import type { RuntimeProfile } from '../../protocol/wire/profile.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import { robotRefusal } from '../../protocol/wire/robots.ts';

import { isSceneId, type SceneId } from '../../protocol/wire/scene-ids.ts';
import type { ConnectionState } from '../../room/connection-state.ts';
import type { RoomManager } from '../../room/room-manager.ts';
import { notReadyReply } from '../../runtime/not-ready.ts';
import { encodeGuard } from '../../runtime/reply.ts';
import type { EngineDeps } from './engine-deps.ts';
import * as rules from './engine-rules.ts';
import { knownAfter, nameOf } from './known.ts';
import { isPhysicsBroken, isReachable, isRobotLoaded, setPart, whatIsLoading } from './loading.ts';
import { createSceneOpening } from './scene-opening.ts';
import type { AskedCall } from './simulation-client.ts';
import { statusText } from './status-text.ts';
import { createViewerStore } from './store.ts';
import { createTabWorld } from './tab-world.ts';
import type { Engine, GivenTask, ViewerState } from './types.ts';

/** Progress of the room part when its code is loaded but the room is not yet joined. */
const ROOM_CODE_LOADED = 0.5;
const PAGE_PICTURE_QUALITY = 0.7;

/**
 * Creates the robot of one tab: key, room, simulation and cameras, wired together. The world starts at once; the cameras and the
 * room start when there is a key. With a key in the link or in this tab's storage, it joins automatically.
 */
export function createEngine(deps: EngineDeps): Engine {
  const store = createViewerStore();
  let key: RoomKey | null = null;
  let room: RoomManager | null = null;
  let roomLoading: Promise<RoomManager> | null = null;
  let disposed = false;
  /** Why the robot is out of reach for everyone in the room. */
  let outOfReach: OutOfReach | null = null;
  /** The times of the page's most recent attempts to return to its session. */
  let comeBacks: number[] = [];
  /** Whether the key's media server has accepted it since the tab last asked to join. */
  let isAccepted = false;
  const world = createTabWorld(deps, store, rules.readTaken(deps), () => room);

  const scenes = createSceneOpening({ store, world, newId: deps.newId });

  const stopDeriving = store.subscribe(derivePhase);
  const noteNetwork = (): void => store.setState({ offline: !deps.network.isOnline() });
  noteNetwork();
  const stopNetwork = deps.network.subscribe(() => {
    noteNetwork();
    // The media server may seem unreachable because this computer has no network.
    const { connection, offline } = store.getState();
    if (!offline && connection.kind === 'ended' && connection.reason === 'unreachable') joinRoom(false);
  });

  /** Derives the phase from key, connection and loading. Nothing else sets it. */
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

  /** Returns why the robot cannot enter a room or run in this tab alone under this contract; null when it can. */
  const entryProblem = (next: RuntimeProfile, wantedRobot: RobotId = world.choice().robotId): string | null =>
    deps.isSecurePage ? robotRefusal(wantedRobot, next) : rules.INSECURE_PAGE;

  async function draw(order: Omit<CaptureInput, 'renderState'>) {
    const renderState = world.link().latest();
    if (!renderState) throw new Error('The robot is still loading. Ask again in a moment.');
    const cameras = await world.cameras();
    cameraView(renderState, order.camera);
    return { renderState, ...(await cameras.capture({ renderState, ...order })) };
  }

  function connect(pasted: string): void {
    const read = rules.readKey(deps, pasted);
    const gateProblem = deps.keyProblem ?? (!read.ok ? read.message : entryProblem(read.key.profile));
    if (!read.ok || gateProblem !== null) {
      store.setState({ gateProblem });
      return;
    }
    const isOther = world.adoptProfile(read.key.profile);
    if (store.getState().local) leaveLocal();
    key = read.key;
    deps.keepKey(encodeRoomKey(key));
    store.setState({ gateProblem: null, robot: { id: key.robotId, name: key.name ?? key.robotId ?? 'Robot' } });
    world.enterPlaceOf(key, isOther);
    joinRoom(asksToTakeOver(pasted));
  }

  function tryHere(sceneId: SceneId = world.choice().sceneId, robotId: RobotId = world.choice().robotId): void {
    if (store.getState().connection.kind !== 'idle') return;
    const localProfile = deps.contract.profile ?? 'simulator';
    const gateProblem = entryProblem(localProfile, robotId);
    if (gateProblem !== null) {
      store.setState({ gateProblem });
      return;
    }
    world.playHere(localProfile, { sceneId, robotId });
    store.setState({ local: true, gateProblem: null, robot: { id: null, name: rules.LOCAL_ROBOT_NAME } });
  }

  function playTask(given: GivenTask, seed: number): string | null {
    const { file } = given;
    if (store.getState().connection.kind !== 'idle') return rules.TASK_IN_A_ROOM;
    if (!isSceneId(file.scene)) return rules.TASK_IN_OWN_SCENE;
    const localProfile = deps.contract.profile ?? 'simulator';
    const present = world.choice().robotId;
    const robotId = file.robots?.includes(present) === false ? (file.robots[0] ?? present) : present;
    const problem = entryProblem(localProfile, robotId);
    if (problem !== null) return problem;
    world.playTask(localProfile, given, file.scene, robotId, seed);
    store.setState({ local: true, gateProblem: null, robot: { id: null, name: rules.LOCAL_ROBOT_NAME } });
    return null;
  }

  /** Discards the current world, so that its changes do not reach the next user. */
  function leaveLocal(): void {
    world.kept.leave();
    world.endTask();
    // The emergency stop of this robot does not apply to the next one.
    deps.stops.turnTo(null);
    world.restart();
    store.setState({ local: false, robot: null });
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
        onLeft: (identity) => world.link().simulation.noteLeft(identity),
        onKey: lengthenKey,
        onWatchers: world.noteWatchers,
        onMetadata: (metadata) => {
          // The room's metadata arrives before any call from the room.
          accept();
          world.notePress(pressOf(metadata));
          const order = ownerOrderOf(metadata);
          if (order) world.link().simulation.obeyOwner(order);
          if (!key) return;
          world.line()?.enter({ robotId: key.robotId ?? '', session: key.room }, metadata);
          scenes.hearRoom(placeOf(key), metadata);
        },
      })
      .then((created) => {
        if (disposed) created.dispose();
        room = created;
        return created;
      });
    return roomLoading;
  }

  /** The room reports `joining` when no other tab of this browser is the robot. From then on, the cameras are needed. */
  function onRoomState(connection: ConnectionState): void {
    if (disposed) return;
    if (connection.kind === 'joining') {
      world.wantCameras();
      isAccepted = false;
      if (key) world.look(key);
    }
    if (connection.kind === 'connected') accept();
    setConnection(connection);
  }

  /**
   * The stored data of a robot is claimed, changed and cleared only after its media server has accepted the key. Until then, the
   * key may name any robot.
   */
  function accept(): void {
    if (isAccepted || !key) return;
    isAccepted = true;
    world.enter(key);
  }

  function setConnection(connection: ConnectionState): void {
    if (disposed) return;
    if (connection.kind === 'connected') setPart(store, 'room', { done: true });
    const isBack = connection.kind === 'ended' && connection.reason === 'session_deleted' && comeBack(connection);
    if (connection.kind === 'ended') {
      deps.stops.leave();
      // The caller that commanded the robot cannot reach it any more. Before the room was joined, there was no such caller.
      if (rules.hasBeenInRoom(store.getState().connection))
        world.link().simulation.cancelActive({ kind: 'robot', what: "the robot's tab, which left the room" });
      if (!connection.canRetry && !isBack) forgetKey();
      if (!isBack && rules.ENDS_THE_WORLD.has(connection.reason)) world.kept.leave();
    }
    world.link().setQuiet(connection.kind === 'ended');
    store.setState({ connection: isBack ? { kind: 'rejoining', attempt: 1, reason: rules.COMING_BACK } : connection });
  }

  /**
   * Tries to return after the session was closed, usually because a program ended. If the platform opens the session again, the
   * robot continues with its world in a new room.
   * @returns whether it tries; if the attempt fails, the end is reported then
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
        world.kept.leave();
        world.link().setQuiet(true);
        store.setState({ connection: end });
        return;
      }
      key = read.key;
      deps.keepKey(encodeRoomKey(key));
      scenes.goOnIn(placeOf(key));
      joinRoom(false);
    });
    return true;
  }

  /** Stores the key with the longer validity, so that a reload uses it. */
  function lengthenKey(longer: RoomKey): void {
    if (key?.room !== longer.room) return;
    key = longer;
    deps.keepKey(encodeRoomKey(longer));
  }

  function forgetKey(): void {
    key = null;
    deps.keepKey(null);
  }

  /**
   * Answers every call from the room or the page: at once with NOT_READY while something loads, otherwise through the runtime.
   */
  function answer(call: AskedCall): Promise<string> {
    const loading = whatIsLoading(store.getState().loading);
    if (loading) return Promise.resolve(notReadyReply(call.method, call.payload, loading));
    return world.link().simulation.call(call);
  }

  /**
   * Stops a velocity that no one in the room can end any more. In the physical robot's contract, a velocity continues until a
   * caller ends it.
   */
  function stopOutOfReach(why: OutOfReach | null): void {
    if (disposed) return;
    outOfReach = why;
    if (why !== null && contractOf(world.profile()).holdsVelocity)
      world.link().simulation.cancelActive({ kind: 'robot', what: rules.stopperOf(why) });
  }

  /** Answers a call from the room. Calls that arrive while the replies get lost must not start the robot again. */
  function answerRoom(call: IncomingCall): Promise<string> {
    const isRefused = outOfReach !== null && contractOf(world.profile()).holdsVelocity && rules.MAY_MOVE.has(call.method);
    return isRefused
      ? Promise.resolve(encodeGuard(stoppedOutOfReach(rules.stopperOf(outOfReach))))
      : answer({ ...call, callerName: nameOf(store.getState(), call.callerIdentity) });
  }

  if (deps.takenKey !== null) connectAtStart(deps.takenKey);

  function connectAtStart(taken: string): void {
    connect(taken);
    // A key that is rejected here would be rejected after every reload.
    if (key === null) deps.keepKey(null);
  }

  const engine: Engine = {
    store,
    frames: { latest: () => world.link().latest(), overlay: () => world.link().overlay() },
    layout: () => world.link().layout(),
    connect,
    tryHere,
    openScene: scenes.open,
    tasks: {
      play: playTask,
      async playFile(text) {
        const { playDropped } = await import('./tasks/open-task.ts');
        return playDropped(engine, text);
      },
      proof: () => world.link().simulation.proof(),
    },
    heldKey: () => key && { key, text: encodeRoomKey(key) },
    stop: () => world.link().simulation.cancelActive(PAGE),
    emergencyStop: world.setEmergencyStop,
    disconnect() {
      if (store.getState().local) return leaveLocal();
      forgetKey();
      const { kind } = store.getState().connection;
      // This tab stops waiting for the robot of another tab.
      void room?.leave();
      if (!room || kind === 'ended' || kind === 'idle')
        store.setState({ connection: { kind: 'idle' }, participants: [], known: [] });
    },
    retry() {
      if (isPhysicsBroken(store.getState().loading)) world.restart();
      const { connection } = store.getState();
      if (key) joinRoom(connection.kind === 'ended' && rules.HELD_BY_OTHERS.has(connection.reason));
    },
    async capture(camera, widthPx, heightPx) {
      const { jpeg } = await draw({ camera, widthPx, heightPx, quality: PAGE_PICTURE_QUALITY });
      return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' });
    },
    draw: (camera, widthPx, heightPx, quality) => draw({ camera, widthPx, heightPx, quality, annotations: ['boxes'] }),
    async call(method, payload = {}, mark) {
      const line = world.line();
      const request = line
        ? await line.wrap(method, payload as Record<string, unknown>)
        : { method, payload: JSON.stringify(payload ?? {}) };
      const text = await answer({
        requestId: deps.newId(),
        ...request,
        callerIdentity: null,
        ...(mark ? { mark } : {}),
      });
      return JSON.parse(text) as unknown;
    },
    pictureIsShown: world.pictureIsShown,
    dispose() {
      disposed = true;
      stopDeriving();
      stopNetwork();
      room?.dispose();
      world.dispose();
    },
  };
  return engine;
}
