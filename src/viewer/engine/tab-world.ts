import type { Cameras } from '../../cameras/camera-client.ts';
import type { TaskFile } from '../../protocol/files/task-file.ts';
import { placeOf, robotOf } from '../../protocol/room/robot-place.ts';
import type { RoomKey } from '../../protocol/room/room-key.ts';
import { PAGE } from '../../protocol/wire/caller.ts';
import { contractOf } from '../../protocol/wire/contract.ts';
import type { PressInRoom } from '../../protocol/wire/emergency-stop.ts';
import type { RuntimeProfile } from '../../protocol/wire/profile.ts';
import { DEFAULT_ROBOT_ID, type RobotId } from '../../protocol/wire/robot.ts';
import { robotRefusal } from '../../protocol/wire/robots.ts';
import { isSceneId, type SceneId } from '../../protocol/wire/scene-ids.ts';
import { NOBODY_WATCHES, type WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import type { RoomManager } from '../../room/room-manager.ts';
import type { EmergencyStop } from '../../runtime/emergency-state.ts';
import type { ControlTrust } from '../../runtime/host/sim-messages.ts';
import { createCameraStart } from './camera-start.ts';
import type { EngineDeps } from './engine-deps.ts';
import * as rules from './engine-rules.ts';
import { createKeptPlace, type KeptPlace } from './kept/kept-place.ts';
import { nameOf } from './known.ts';
import { isPhysicsBroken, isRobotLoaded } from './loading.ts';
import { createSignedLine, type SignedLine } from './signed-line.ts';
import type { GivenTask, ViewerStore } from './types.ts';
import { startWorld, type WorldLink } from './world-link.ts';

/** A simulation that ran at least this long is started again after a fault. */
const RESTART_AFTER_MS = 10_000;

/** The choices for the next new world. */
export interface WorldChoice {
  sceneId: SceneId;
  robotId: RobotId;
}

/** The world of one tab across restarts: contract, scene, robot, where it is stored, and the emergency stop. */
export interface TabWorld {
  /** Returns the world that runs now. A restart replaces it. */
  link(): WorldLink;
  profile(): RuntimeProfile;
  choice(): Readonly<WorldChoice>;
  /** Returns the transport for signed calls; null in a contract without them. */
  line(): SignedLine | null;
  /** Where this tab's world is stored. */
  readonly kept: KeptPlace;
  /** Changes the contract. @returns whether it has changed; the world must then start again */
  adoptProfile(next: RuntimeProfile): boolean;
  /** Changes to the place of a key. @param isOtherContract whether the running world has another contract */
  enterPlaceOf(key: RoomKey, isOtherContract: boolean): void;
  /** Notes that the tab asks the media server of a key to be the robot. */
  look(key: RoomKey): void;
  /** Notes that the media server of a key has accepted it: this tab is the robot from now on. */
  enter(key: RoomKey): void;
  /** Makes this the world of a robot of this tab alone. */
  playHere(profile: RuntimeProfile, choice: WorldChoice): void;
  /** Makes this the world of a robot of this tab alone that has a task. Its run is recorded, and the world is not stored. */
  playTask(profile: RuntimeProfile, task: GivenTask, sceneId: SceneId, robotId: RobotId, seed: number): void;
  /** Removes the task from the next world. */
  endTask(): void;
  /** Starts a new world in a scene, and stores it in a place from then on. */
  startIn(sceneId: SceneId, place: string): void;
  wantCameras(): void;
  /** Notes that the picture for people is on the screen, or that nothing can draw it. */
  pictureIsShown(): void;
  /** Resolves with the cameras when they are built. @throws as `WorldLink.cameras` */
  cameras(): Promise<Cameras>;
  setEmergencyStop(latched: boolean): void;
  /** Notes the control service's press in the room's metadata; null for none. */
  notePress(press: PressInRoom | null): void;
  /** Notes who watches the robot remotely. */
  noteWatchers(update: WatcherUpdate): void;
  restart(): void;
  dispose(): void;
}

/**
 * Starts the tab's first world.
 * @param taken the key that the tab came with, if it is valid: the first world then continues with the one that this tab stored
 * in the key's place
 * @param room returns the room at the time when a picture is sent
 */
export function createTabWorld(
  deps: EngineDeps,
  store: ViewerStore,
  taken: RoomKey | null,
  room: () => RoomManager | null,
): TabWorld {
  // A key's identity names the contract; without a key, the address does.
  let profile = taken?.profile ?? deps.contract.profile ?? 'simulator';
  store.setState({ profile });
  let choice: WorldChoice = { sceneId: deps.sceneId, robotId: deps.robotId };
  let task: { file: TaskFile; seed: number } | null = null;
  /** The place that the running world is for. */
  let place: string | null = taken && placeOf(taken);
  const { stops } = deps;
  stops.turnTo(taken && robotOf(taken));
  let camerasWanted = false;
  const cameraStart = createCameraStart(deps.visibility, wantCameras);
  let trust: ControlTrust | null = null;
  let pressInRoom: PressInRoom | null = null;
  let watchers = NOBODY_WATCHES;
  let startedAtMs = 0;
  let disposed = false;
  const kept = createKeptPlace({
    marks: deps.worldMark,
    seed: deps.seed,
    store,
    nowMs: deps.nowMs,
    newId: deps.newId,
    report: (order) => link.simulation.keep(order),
    restart,
  });
  if (place !== null) kept.comeBack(place);
  let link = start();
  let line = openLine();
  const stopMarking = deps.onPageHide(kept.goAway);
  const stopWatching = store.subscribe(({ loading }) => {
    if (isRobotLoaded(loading) || isPhysicsBroken(loading)) cameraStart.robotIsSettled();
  });

  function start(): WorldLink {
    startedAtMs = deps.nowMs();
    // The gate shows the rejection. Behind it, a robot that does not support the contract is replaced by the default robot.
    const robotId = robotRefusal(choice.robotId, profile) === null ? choice.robotId : DEFAULT_ROBOT_ID;
    store.setState({ actions: [], robotKind: robotId });
    const started = startWorld(deps, store, {
      contract: { ...deps.contract, profile },
      seed: task?.seed ?? kept.seed(),
      sceneId: choice.sceneId,
      robotId,
      ...kept.begin(),
      task: task?.file ?? null,
      room,
      onBroken: restartAfterFault,
      onKeeper: hearKeeper,
      onEmergency: noteStop,
    });
    latch(started, stops.latched());
    if (pressInRoom) reportPress(started, pressInRoom);
    if (camerasWanted) started.wantCameras();
    if (trust) started.simulation.setTrust(trust);
    if (watchers.present) started.simulation.setWatchers({ ...watchers, isNew: true });
    return started;
  }

  function reportPress({ simulation }: WorldLink, { press_id: pressId, by, reason }: PressInRoom): void {
    simulation.setEmergencyStop(true, { kind: 'service', name: by }, { reason, pressId, name: nameOf(store.getState(), by) });
  }

  function noteStop(stop: EmergencyStop | null): void {
    store.setState({ stopIsKept: stops.note(stop) });
  }

  /** Presses the emergency stop in a world. It stays pressed, whatever happens to the world. */
  function latch({ simulation }: WorldLink, stop: EmergencyStop | null): void {
    if (stop) simulation.setEmergencyStop(true, stop.by, { reason: stop.reason, name: stop.name, sinceMs: stop.sinceMs });
  }

  function restart(): void {
    link.dispose();
    store.setState({ runtime: null, scene: null });
    link = start();
  }

  /**
   * Restarts the simulation after a fault. If it fails again at once, it stays down and the page shows the problem, unless it had
   * continued a stored world that may be the cause.
   */
  function restartAfterFault(): void {
    if (disposed) return;
    const beginsAnew = kept.failed();
    if (!beginsAnew && deps.nowMs() - startedAtMs <= RESTART_AFTER_MS) return;
    const brokenIn = link.layout()?.scene_id;
    if (isSceneId(brokenIn)) choice = { ...choice, sceneId: brokenIn };
    restart();
    store.setState({ restartedAtMs: deps.nowMs() });
  }

  function openLine(): SignedLine | null {
    if (!contractOf(profile).isSigned) return null;
    const report = (next: ControlTrust): void => {
      trust = next;
      link.simulation.setTrust(next);
    };
    return createSignedLine({ holder: rules.PAGE_HOLDER, nowMs: deps.nowMs, report });
  }

  function adoptProfile(next: RuntimeProfile): boolean {
    if (next === profile) return false;
    profile = next;
    trust = null;
    line = openLine();
    store.setState({ profile });
    return true;
  }

  function wantCameras(): void {
    if (camerasWanted) return;
    camerasWanted = true;
    link.wantCameras();
  }

  /** A robot of this tab alone has no clients that wait for pictures, so its person has priority. */
  function wantCamerasAlone(): void {
    if (deps.camerasBesidePhysics) wantCameras();
    else cameraStart.wait();
  }

  function enterLocalPlace(isNew: boolean): void {
    latch(link, stops.enter());
    const own = deps.localPlace?.(isNew);
    if (own) kept.enter(own);
    else if (own === null) store.setState({ keeping: 'failing' });
  }

  function hearKeeper(update: Parameters<KeptPlace['hear']>[0]): void {
    kept.hear(update);
    // Only a duplicate of this tab knows the place, and now owns it.
    if (update.kind === 'keeping' && update.state === 'elsewhere' && store.getState().local) enterLocalPlace(true);
  }

  return {
    link: () => link,
    profile: () => profile,
    choice: () => choice,
    line: () => line,
    kept,
    adoptProfile,
    /** Uses the running world for the first place, unless it has another contract. */
    enterPlaceOf(key, isOtherContract) {
      const isFirst = place === null;
      const isSame = place === placeOf(key);
      place = placeOf(key);
      const stop = stops.turnTo(robotOf(key));
      if (isSame && !isOtherContract) return;
      if (isFirst && !isOtherContract) {
        latch(link, stop);
        return;
      }
      kept.turnAway();
      restart();
    },
    look: (key) => kept.look(placeOf(key)),
    enter(key) {
      place = placeOf(key);
      // The platform may have given this tab another key for its robot, at another address.
      const held = stops.latched();
      stops.turnTo(robotOf(key));
      const stop = stops.enter() ?? held;
      if (stop) noteStop(stop);
      latch(link, stop);
      kept.enter(place);
    },
    playHere(localProfile, wanted) {
      const isOtherContract = adoptProfile(localProfile);
      const wasInRoom = place !== null;
      place = null;
      stops.turnTo(rules.LOCAL_ROBOT);
      if (wasInRoom || isOtherContract || wanted.sceneId !== choice.sceneId || wanted.robotId !== choice.robotId) {
        choice = wanted;
        restart();
      }
      wantCamerasAlone();
      line?.enter(rules.LOCAL_PLACE, '');
      enterLocalPlace(false);
    },
    playTask(localProfile, given, sceneId, robotId, seed) {
      adoptProfile(localProfile);
      place = null;
      stops.turnTo(rules.LOCAL_ROBOT);
      // A run that continues a stored world has no proof, so this world is not stored.
      kept.turnAway();
      choice = { sceneId, robotId };
      task = { file: given.file, seed };
      store.setState({ task: { ...given, seed, verdict: null, isDecided: false, missing: [] } });
      restart();
      wantCamerasAlone();
      line?.enter(rules.LOCAL_PLACE, '');
    },
    endTask() {
      task = null;
      store.setState({ task: null });
    },
    startIn(sceneId, place) {
      choice = { ...choice, sceneId };
      // The previous world stored here must not be continued.
      kept.leave();
      restart();
      kept.enter(place);
    },
    wantCameras,
    pictureIsShown: cameraStart.pictureIsShown,
    async cameras() {
      const asked = link;
      await cameraStart.over();
      return asked.cameras();
    },
    setEmergencyStop(latched) {
      if (latched && stops.latched() === null) noteStop({ by: PAGE, sinceMs: deps.nowMs(), reason: null });
      link.simulation.setEmergencyStop(latched, PAGE);
    },
    notePress(press) {
      if (press !== null && press.press_id !== pressInRoom?.press_id) reportPress(link, press);
      pressInRoom = press;
    },
    noteWatchers(update) {
      watchers = update;
      link.simulation.setWatchers(update);
    },
    restart,
    dispose() {
      disposed = true;
      cameraStart.dispose();
      stopWatching();
      stopMarking();
      kept.dispose();
      link.dispose();
    },
  };
}
