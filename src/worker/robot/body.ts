import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { errorFacts } from '../../common/error-facts.ts';
import { shownId } from '../../common/shown-text.ts';
import type { RoomEvent } from '../../protocol/room/room-events.ts';
import type { ControlKeys } from '../../protocol/signed/signed-control.ts';
import { stoppedOutOfReach } from '../../protocol/texts/rcw-texts.ts';
import type { IncomingCall } from '../../protocol/wire/call-deduplicator.ts';
import { callerFields, callerName } from '../../protocol/wire/caller.ts';
import { contractOf } from '../../protocol/wire/contract.ts';
import type { PressInRoom } from '../../protocol/wire/emergency-stop.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import type { OwnerOrder } from '../../protocol/wire/owner-order.ts';
import { isSceneId } from '../../protocol/wire/scene-ids.ts';
import { UNKNOWN_SESSION_SCENE } from '../../protocol/wire/session-scene.ts';
import { NOBODY_WATCHES, type WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import type { WorldPacket } from '../../protocol/world-stream/world-frame.ts';
import type { EmergencyStop, KeptEmergency } from '../../runtime/emergency-state.ts';
import type { SentJpeg } from '../../runtime/host/carry-out-capture.ts';
import type { FromSimulation } from '../../runtime/host/sim-messages.ts';
import type { SimulationHost } from '../../runtime/host/simulation-host.ts';
import { notReadyReply } from '../../runtime/not-ready.ts';
import { encodeGuard } from '../../runtime/reply.ts';
import type { Runtime, RuntimeDeps } from '../../runtime/runtime.ts';
import type { Scenes } from '../../simulation/scene.ts';
import type { Log } from '../log.ts';
import type { RobotOrder } from '../robot-messages.ts';
import { createAudit } from './audit.ts';
import { type BodyPictures, openBodyCameras } from './body-cameras.ts';
import { openStopFile } from './stop-file.ts';
import { pause } from './wait.ts';
import { openWorldFile } from './world-file.ts';
import { createWorldKeeper } from './world-keeper.ts';

/** The simulated body behind its contract, paced by the clocks of this process. */
export interface Body {
  /** Answers a call with JSON text. It answers from the start, with NOT_READY while the body is loading. */
  handle(call: IncomingCall): Promise<string>;
  /** Sets the keys whose signed calls are accepted from now on; null for none. */
  trust(keys: ControlKeys | null): void;
  /** Applies the control service's press of the emergency stop. It is kept until the body is loaded. */
  press(press: PressInRoom): void;
  /**
   * Applies an owner's order that sets the driver. Does nothing before the body is loaded: the robot has no driver then, and the
   * order does not apply to later ones.
   */
  obeyOwner(order: OwnerOrder): void;
  /** A participant has left the room. */
  noteLeft(identity: string): void;
  /** Sets the participants that watch the robot. They are kept until the body is loaded. */
  watchers(update: WatcherUpdate): void;
  /**
   * Stops the robot, closes the body to commands and waits a limited time until it stands. Otherwise commands that a client keeps
   * sending, or that are still being checked, would supersede the stop.
   * @param by the party that stopped it; the error of rejected callers names it
   * @param forGood whether `open` cannot undo it
   * @returns whether the robot stands
   */
  brake(by: string, forGood?: boolean): Promise<boolean>;
  /** Accepts commands again, unless it was closed for good. */
  open(): void;
  /** Settles when the body has stopped running after `dispose`. Rejects with a fault of its own or of the physics. */
  readonly over: Promise<void>;
  /**
   * Saves the current world for the next start of this robot.
   * @param endsWell whether the process was asked to end, and ends without a fault
   */
  keep(endsWell?: boolean): Promise<void>;
  /** The session is over, so nothing of its world is kept. */
  forget(): Promise<void>;
  /** Frees the world. Waiting calls are not answered. */
  dispose(): void;
}

/**
 * The first steps of a fresh engine run slow code. They are run in a separate world before the robot reports that it is ready.
 */
const WARM_UP_STEPS = 240;
const WARM_UP_SLICE = 20;
const CODE_LOADED = 0.4;
const ENGINE_STARTED = 0.5;
/** From full speed the base stands within 1.5 s. */
const BRAKE_MAX_MS = 2_500;
const BRAKE_LOOK_MS = 50;
/** The methods that may move the body. The call in an envelope becomes one of these when it is opened. */
const COMMANDS: ReadonlySet<string> = new Set<MethodName>(['runtime.tools_call', 'runtime.cancel']);

/** Sends the body's events to its room, while it is in one. */
export interface ToRoom {
  report(event: RoomEvent): void;
  /** Sends packets to the participants that watch. */
  sendWorld(packets: readonly WorldPacket[]): void;
  /** Sends a picture to one participant. @throws Error with a sentence */
  sendJpeg(picture: SentJpeg): Promise<void>;
  /** Returns the name of a participant, or of the robot itself if `identity` is null. Null if there is no name or no room. */
  nameOf(identity: string | null): string | null;
}

/** The dependencies of a body, apart from its order. */
export interface BodyOptions {
  /** Creates the runtime from the body's dependencies, or a wrapper around it. @default `createRuntime` */
  makeRuntime?: ((deps: RuntimeDeps) => Runtime) | undefined;
  /** The scenes that it can be in. @default the built-in ones */
  scenes?: Scenes | undefined;
  /**
   * The scene that the session requests, once it is known; null for none. The world waits for it; the order has priority.
   * @default none
   */
  sessionScene?: Promise<string | null>;
  /** The renderer of its cameras. @default nothing: it has no cameras */
  pictures?: BodyPictures | null;
}

/** Starts a body, which can answer calls at once. */
export function createBody(order: RobotOrder, log: Log, toRoom: ToRoom, options: BodyOptions = {}): Body {
  const { place, seed, productVersion, signedOnly, worldsDir, profile = 'worker', modelId } = order;
  const world = {
    seed,
    ...(modelId ? { robotId: modelId } : {}),
    ...(options.scenes ? { scenes: options.scenes } : {}),
    ...(order.sceneId ? { sceneId: order.sceneId } : {}),
  };
  const contract = contractOf(profile);
  const worlds = createWorldKeeper(worldsDir === null ? null : openWorldFile(worldsDir, place), Date.now, log);
  const waiting = new Map<number, (text: string) => void>();
  const loading = { part: 'physics', fraction: 0 };
  let keys: ControlKeys | null = null;
  let pressed: PressInRoom | null = null;
  let watchers = NOBODY_WATCHES;
  const stopFile = worldsDir === null ? null : openStopFile(worldsDir, place.robotId);
  let running: { runtime: Runtime; host: SimulationHost } | null = null;
  /** The latched stop that was logged last. */
  let logged: EmergencyStop | null = null;
  let closed: { by: string; forGood: boolean } | null = null;
  let broken: { thrown: unknown } | null = null;
  let disposed = false;
  let calls = 0;
  const cameras = options.pictures
    ? openBodyCameras({
        pictures: options.pictures,
        place: () => running?.runtime.layout() ?? null,
        room: toRoom,
        report: (message) => running?.host.receive(message),
        log,
      })
    : null;

  function post(message: FromSimulation): void {
    if (message.kind === 'reply') {
      waiting.get(message.callId)?.(message.text);
      waiting.delete(message.callId);
    } else if (message.kind === 'world') {
      toRoom.sendWorld(message.packets);
    } else if (message.kind === 'suspended') {
      log({ level: 'warn', event: 'robot_frozen', gap_ms: message.gapMs, message: FROZEN });
    }
  }

  /** Logs a press once, although the service reports it by two paths, and again if the room corrects the presser. */
  function logStop({ latched, release }: KeptEmergency): void {
    const before = logged;
    logged = latched;
    const robot = toRoom.nameOf(null);
    const names = robot === null ? {} : { robot };
    if (latched === null) {
      const { by = null, name = null } = before ?? {};
      const presser = by === null ? {} : { pressed_by: name ?? callerName(by) };
      log({
        level: 'warn',
        event: 'emergency_stop_released',
        ...names,
        ...presser,
        ...(release?.place ? { place: release.place } : {}),
      });
      return;
    }
    if (before !== null && callerName(before.by) === callerName(latched.by)) return;
    log({
      level: 'warn',
      event: before === null ? 'emergency_stop' : 'emergency_stop_presser',
      ...names,
      ...callerFields(latched.by),
      ...(latched.name ? { caller_name: latched.name } : {}),
      ...(latched.reason ? { reason: latched.reason } : {}),
    });
  }

  function noteEmergency(emergency: KeptEmergency): void {
    running?.host.keepSoon();
    const { latched } = emergency;
    logStop(emergency);
    try {
      stopFile?.write(emergency, { robot: toRoom.nameOf(null), presser: latched?.name ?? null });
    } catch (thrown) {
      log({ level: 'error', event: 'emergency_stop_not_kept', ...errorFacts(thrown), message: STOP_NOT_KEPT });
    }
  }

  function logDriver(event: RoomEvent): void {
    if (event.type !== 'driver_changed') return;
    const { driver, previous, why, by } = event;
    log({
      level: 'info',
      event: 'driver_changed',
      why,
      ...(by ? { by } : {}),
      driver: driver?.identity ?? null,
      previous: previous?.identity ?? null,
    });
  }

  function reportPress(host: SimulationHost, { press_id: pressId, by, reason }: PressInRoom): void {
    // A press by a link carries the identity of the page that pressed.
    const name = toRoom.nameOf(by);
    host.receive({ kind: 'emergency-stop', latched: true, by: { kind: 'service', name: by }, name, reason, pressId });
  }

  /** Returns the scene that the session requests, if it exists. */
  async function openedScene(): Promise<string | null> {
    const asked = (await options.sessionScene) ?? null;
    if (asked === null || isSceneId(asked)) return asked;
    log({
      level: 'warn',
      event: 'scene_not_opened',
      scene: asked,
      message: `The scene "${shownId(asked)}" ${UNKNOWN_SESSION_SCENE}`,
    });
    return null;
  }

  /** Loads the engine, builds the world, warms up, and runs. */
  async function live(): Promise<void> {
    const [{ startEngine }, { createRuntime }, { createSimulationHost }, { warmUp }] = await Promise.all([
      import('./physics-engine.ts'),
      import('../../runtime/runtime.ts'),
      import('../../runtime/host/simulation-host.ts'),
      import('../../runtime/host/warm-up.ts'),
    ]);
    loading.fraction = CODE_LOADED;
    const rapier = await startEngine();
    loading.fraction = ENGINE_STARTED;
    await warmUp(rapier, world, {
      steps: WARM_UP_STEPS,
      sliceSteps: WARM_UP_SLICE,
      onShare(share) {
        loading.fraction = ENGINE_STARTED + (1 - ENGINE_STARTED) * share;
      },
      rest: () => pause(0),
      isOver: () => disposed,
    });
    if (disposed) return;

    const audit = createAudit(log);
    const keptStop = stopFile?.read() ?? null;
    logged = keptStop?.latched ?? null;
    const sceneId = order.sceneId ?? (await openedScene());
    if (disposed) return;
    const runtime = (options.makeRuntime ?? createRuntime)({
      rapier,
      ...world,
      ...(sceneId ? { sceneId } : {}),
      productVersion,
      profile,
      signedControlRequired: signedOnly,
      lifeId: randomUUID(),
      takesPosePackets: true,
      newActionId: () => randomUUID(),
      cameras: { kind: cameras ? 'starting' : 'none' },
      startCapture: (job) => cameras?.start(job),
      onAction: () => undefined,
      onAccepted(accepted) {
        worlds.note(accepted);
        audit.commanded(accepted);
      },
      onCancelled: audit.cancelled,
      ...(keptStop ? { emergency: keptStop } : {}),
      onEmergency: noteEmergency,
      onEvent(event) {
        logDriver(event);
        toRoom.report(event);
      },
      onEnded(ended) {
        worlds.note(ended);
        running?.host.keepSoon();
      },
      onFault({ incident, thrown, isPhysics }) {
        log({ level: 'error', event: 'robot_fault', incident, ...errorFacts(thrown) });
        if (!isPhysics) return;
        worlds.keep(null);
        if (contract.recoversByReset) return;
        broken = { thrown };
        running?.host.stop();
      },
    });
    await worlds.goOn(runtime, order.isFresh);
    if (disposed) return;
    const host = createSimulationHost({
      runtime: {
        ...runtime,
        handle(call, reply) {
          if (closed !== null && COMMANDS.has(call.method)) reply(encodeGuard(stoppedOutOfReach(closed.by)));
          else runtime.handle(call, reply);
        },
      },
      post,
      sleep,
      monotonicMs: () => performance.now(),
      wallMs: () => Date.now(),
      sinceBootMs: () => uptime() * 1_000,
      hidden: false,
      headless: true,
      keeper: worlds,
      ...(contract.isSigned ? { signedControl: { trustedKeys: () => keys, robotId: place.robotId, session: place.room } } : {}),
    });
    running = { runtime, host };
    if (pressed) reportPress(host, pressed);
    host.receive({ kind: 'watchers', update: watchers });
    log({ level: 'info', event: 'robot_ready' });
    void cameras?.prepare();
    try {
      await host.run();
      if (broken) throw broken.thrown;
    } finally {
      running = null;
      cameras?.close();
      runtime.dispose();
    }
  }

  const over = live();
  return {
    handle({ requestId, method, payload, callerIdentity }) {
      if (!running) return Promise.resolve(notReadyReply(method, payload, loading));
      const { host } = running;
      calls += 1;
      const callId = calls;
      return new Promise((resolve) => {
        waiting.set(callId, resolve);
        host.receive({
          kind: 'call',
          callId,
          requestId,
          method,
          payload,
          callerIdentity,
          callerName: toRoom.nameOf(callerIdentity),
        });
      });
    },
    trust(trusted) {
      keys = trusted;
    },
    press(press) {
      if (press.press_id === pressed?.press_id) return;
      pressed = press;
      if (running) reportPress(running.host, press);
    },
    obeyOwner: (order) => running?.host.receive({ kind: 'owner-order', order }),
    noteLeft: (identity) => running?.host.receive({ kind: 'participant-left', identity }),
    watchers(update) {
      watchers = update;
      running?.host.receive({ kind: 'watchers', update });
    },
    async brake(by, forGood = false) {
      closed = { by, forGood: forGood || (closed?.forGood ?? false) };
      running?.host.receive({ kind: 'cancel-active', by: { kind: 'robot', what: by } });
      const untilMs = performance.now() + BRAKE_MAX_MS;
      while (running && performance.now() < untilMs) {
        await pause(BRAKE_LOOK_MS);
        if (running?.runtime.state(Date.now()).robot.status !== 'moving') return true;
      }
      return running === null;
    },
    open() {
      if (!closed?.forGood) closed = null;
    },
    over,
    async keep(endsWell = false) {
      if (endsWell) worlds.endsWell();
      if (running && worlds.isKeeping()) worlds.keep(running.runtime.keep());
      await worlds.written();
    },
    forget: worlds.forget,
    dispose() {
      disposed = true;
      running?.host.stop();
    },
  };
}

const STOP_NOT_KEPT =
  'The emergency stop is latched, but its record cannot be written: a restart of the worker would lift it. Make room on the disk, and press it again.';
const FROZEN = 'The process was stopped for a while, or the machine slept; the robot stands, and what ran has ended.';

/** Node's timers count whole milliseconds and may fire a fraction early. The pacing compensates for late ones. */
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (ms < 0.5) setImmediate(resolve);
    else setTimeout(resolve, Math.ceil(ms));
  });
