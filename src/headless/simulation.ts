import type { RoomEvent } from '../protocol/room/room-events.ts';
import * as texts from '../protocol/texts/headless-texts.ts';
import { MAX_SEED, STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { MethodName } from '../protocol/wire/methods.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import { DEFAULT_ROBOT_ID, isRobotId, ROBOT_IDS, type RobotId } from '../protocol/wire/robot.ts';
import type { SceneState } from '../protocol/wire/scene.ts';
import { START_SCENE_ID } from '../protocol/wire/scene-ids.ts';
import type { RuntimeState } from '../protocol/wire/state.ts';
import type { CaptureOutcome } from '../runtime/action-record.ts';
import { contractFor } from '../runtime/contract-of.ts';
import { createCore, type RuntimeCore } from '../runtime/core.ts';
import { type Runtime, runtimeOver } from '../runtime/runtime.ts';
import { Scenes } from '../simulation/scene.ts';
import type { Physics } from '../simulation/sim-world.ts';
import { stateHash } from '../simulation/state-hash.ts';
import { startEngine } from '../worker/robot/physics-engine.ts';
import { createModelledClock, type ModelledClock } from './modelled-clock.ts';
import { requireBrowser } from './pictures/find-browser.ts';
import { openPictures, type Pictures } from './pictures/pictures.ts';
import { createStandingCaptures } from './pictures/standing-captures.ts';
import { productVersion } from './product-version.ts';
import { readOwnScene } from './scene-file.ts';

/** The simulated world. */
export interface SimulationOptions {
  /** @default 'warehouse' */
  sceneId?: string;
  /** A scene file, its text or the value of its JSON (docs/scenes.md), in place of `sceneId`. */
  scene?: string | object;
  /** The kind of robot. @default 'humanoid' */
  robotId?: RobotId;
  /** A whole number from 0 to 4294967295. @default 1 */
  seed?: number;
  /** Whether its cameras draw. It takes a Chrome or Chromium, and in a clone the built page. @default false */
  pictures?: boolean;
  /** Called with the events that a room would receive. */
  onEvent?: (event: RoomEvent) => void;
}

/** The options of a picture; defaults are those of the wire format. */
export interface PictureOptions {
  width?: number;
  height?: number;
  /** Of the JPEG, in (0, 1]. */
  quality?: number;
  annotations?: 'boxes'[];
}

/** A picture, or the reply that refuses it. */
export interface TakenPicture {
  /** Of `runtime.cameras_capture`; its `result.frame` has step, intrinsics and pose. */
  reply: Reply;
  /** Null when the reply is a refusal. */
  jpeg: Uint8Array | null;
}

export interface CallOptions {
  /** The caller, as its identity in a room. @default 'program' */
  caller?: string;
}

/** A reply of the wire, read from its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: replies of every method; docs/reference/methods.md has their forms.
export type Reply = any;

/** A call that was handed in; it is answered while steps are made. */
export interface SentCall {
  /** Null until the robot has answered. */
  readonly reply: Reply | null;
}

/**
 * A robot of the simulator profile in this process: no page, no room, no clock. Time passes only with steps; the same seed and the
 * same calls at the same steps give the same state hash (promise P12).
 */
export interface Simulation {
  /** Steps made since the start or the last `reset`; 120 are one second. */
  readonly stepCount: number;
  /** Simulated seconds since then. */
  readonly timeS: number;
  readonly seed: number;
  /**
   * Calls a method and makes steps, as fast as this machine can, until the robot has answered. Steps are made as long as any call waits; after each answer, who awaited
   * it acts before the next step.
   * @param payload of the method, as docs/reference/methods.md has it; an object
   * @returns the reply; a refusal is a reply too
   * @throws Error without an answer within `timeoutS` simulated seconds (default 600), and when the simulation is reset or disposed of meanwhile
   */
  call(method: MethodName, payload?: object, options?: CallOptions & { timeoutS?: number }): Promise<Reply>;
  /** Same as `call` of `runtime.tools_call`. @param callOptions of the wire: `action_id`, `deadline_s` */
  invoke(skill: string, input?: object, callOptions?: object): Promise<Reply>;
  /** Takes a picture of this very step; time stands until it is drawn. @param camera as `layout().cameras` and `runtime.capabilities` name them: 'pov', 'topdown' */
  capture(camera: string, options?: PictureOptions): Promise<TakenPicture>;
  /** Hands a call in and makes no step: for a program that makes its steps itself. */
  send(method: MethodName, payload?: object, options?: CallOptions): SentCall;
  /** Makes steps. @throws Error for no whole number from 0 on */
  step(count?: number): void;
  /** Starts again: scene, robot, ids and time as after the start. Waiting calls are not answered. @param seed @default the previous one */
  reset(seed?: number): void;
  /** Robot, actions and benchmark, as `runtime.state` has them. */
  state(): RuntimeState;
  /** Every thing, as `runtime.scene_state` returns it. */
  sceneState(): SceneState;
  /** Pads, slots, obstacles and cameras of the scene. */
  layout(): ScenePlace;
  /** Hash of everything in the world that changes, 16 hexadecimal digits. */
  hash(): string;
  /** Frees the world. The last simulation with pictures ends their browser. */
  dispose(): void;
}

/** A call without an answer. */
interface Waiting {
  method: string;
  untilStep: number;
  timeoutS: number;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

const CALLER = 'program';
const TIMEOUT_S = 600;
/** So long steps are made before other events of the process have their turn. */
const SLICE_MS = 12;

/**
 * Starts a simulation in this process. The engine is loaded once; a process may have several simulations.
 * @throws RangeError for an unknown scene, robot or seed, and for a scene file with problems, each with its place; Error when
 * pictures are requested and this machine cannot draw them
 */
export async function createSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  const { robotId = DEFAULT_ROBOT_ID, seed = 1, onEvent } = options;
  const ownScene = options.scene === undefined ? null : readOwnScene(options.scene);
  const { scenes, sceneId } = ownScene ?? { scenes: new Scenes(), sceneId: options.sceneId ?? START_SCENE_ID };
  if (scenes.byId(sceneId) === null) throw new RangeError(texts.unknownScene(sceneId));
  if (!isRobotId(robotId)) throw new RangeError(texts.unknownRobot(robotId, ROBOT_IDS));
  requireSeed(seed);
  if (options.pictures) requireBrowser();
  const rapier = await startEngine();
  const pictures = options.pictures ? openPictures() : null;
  let simulation: Simulation | null = null;
  try {
    simulation = simulationOf(rapier, { sceneId, scenes, robotId, seed, onEvent, pictures });
    await pictures?.ready(simulation.layout());
    return simulation;
  } catch (thrown) {
    simulation?.dispose();
    await pictures?.close();
    throw thrown;
  }
}

/** The simulated world, without defaults. */
interface Simulated {
  sceneId: string;
  scenes: Scenes;
  robotId: RobotId;
  seed: number;
  onEvent: ((event: RoomEvent) => void) | undefined;
  /** Null: its cameras draw nothing. */
  pictures: Pictures | null;
}

function simulationOf(rapier: Physics, options: Simulated): Simulation {
  let { seed } = options;
  let clock: ModelledClock = createModelledClock();
  let robot: { core: RuntimeCore; runtime: Runtime } | null = null;
  let requests = 0;
  let actions = 0;
  let stepCount = 0;
  let isPumping = false;
  let pictureCount = 0;
  const waiting = new Set<Waiting>();
  const { pictures } = options;
  const captures =
    pictures && createStandingCaptures({ pictures, place: () => present().runtime.layout(), finish: finishCapture });

  function finishCapture(actionId: string, outcome: CaptureOutcome): void {
    robot?.runtime.finishCapture(actionId, outcome, clock.nowMs());
    goOn();
  }

  function begin(): { core: RuntimeCore; runtime: Runtime } {
    const core = createCore(
      {
        rapier,
        seed,
        scenes: options.scenes,
        sceneId: options.sceneId,
        robotId: options.robotId,
        productVersion: productVersion(),
        newActionId() {
          actions += 1;
          return `action-${actions}`;
        },
        cameras: { kind: captures ? 'ready' : 'none' },
        startCapture: (job) => captures?.start(job),
        onAction: () => undefined,
        ...(options.onEvent ? { onEvent: options.onEvent } : {}),
      },
      contractFor({ profile: 'simulator' }),
    );
    return { core, runtime: runtimeOver(core) };
  }

  function present(): { core: RuntimeCore; runtime: Runtime } {
    if (robot === null) throw new Error(texts.simulationDisposed());
    return robot;
  }

  function hand(method: string, payload: object, caller: string, reply: (reply: Reply) => void): void {
    const { runtime } = present();
    const text: string | undefined = JSON.stringify(payload);
    if (text === undefined) throw new TypeError(texts.payloadNotJson(method));
    requests += 1;
    const call = { requestId: `request-${requests}`, method, payload: text, callerIdentity: caller, nowMs: clock.nowMs() };
    runtime.handle(call, (answer) => reply(JSON.parse(answer)));
  }

  function makeStep(): void {
    const { runtime } = present();
    clock.tick(runtime.speed());
    runtime.step(clock.nowMs());
    stepCount += 1;
  }

  /** Steps are made as long as a call waits; while a picture is drawn time stands, so that no reply comes at a step by chance. */
  const isDue = (): boolean => robot !== null && waiting.size > 0 && !captures?.isDrawing();

  function goOn(): void {
    if (isPumping || !isDue()) return;
    isPumping = true;
    setImmediate(pump);
  }

  /** Makes steps until something is answered, or other events must have their turn. */
  function pump(): void {
    const untilMs = performance.now() + SLICE_MS;
    const before = waiting.size;
    while (isDue() && waiting.size === before && performance.now() < untilMs) {
      makeStep();
      for (const one of waiting)
        if (stepCount >= one.untilStep) give(one, new Error(texts.noAnswerWithin(one.method, one.timeoutS)));
    }
    isPumping = isDue();
    // Code that got an answer runs in this turn of the event loop: the world moves in the next.
    if (isPumping) setImmediate(pump);
  }

  function give(one: Waiting, error: Error): void {
    if (waiting.delete(one)) one.reject(error);
  }

  function abandonAll(why: (method: string) => string): void {
    for (const one of waiting) give(one, new Error(why(one.method)));
  }

  robot = begin();
  return {
    get stepCount() {
      return stepCount;
    },
    get timeS() {
      return stepCount / STEPS_PER_SECOND;
    },
    get seed() {
      return seed;
    },
    call(method, payload = {}, { caller = CALLER, timeoutS = TIMEOUT_S } = {}) {
      return new Promise((resolve, reject) => {
        const one: Waiting = { method, untilStep: stepCount + Math.ceil(timeoutS * STEPS_PER_SECOND), timeoutS, resolve, reject };
        waiting.add(one);
        try {
          hand(method, payload, caller, (reply) => {
            if (waiting.delete(one)) resolve(reply);
          });
        } catch (error) {
          waiting.delete(one);
          throw error;
        }
        goOn();
      });
    },
    invoke(skill, input = {}, callOptions) {
      return this.call('runtime.tools_call', { name: skill, input, ...(callOptions ? { options: callOptions } : {}) });
    },
    async capture(camera, pictureOptions = {}) {
      pictureCount += 1;
      const id = `picture-${pictureCount}`;
      captures?.want(id);
      const payload = { selector: { kind: 'id', id: camera }, options: pictureOptions, stream: { id } };
      const reply = await this.call('runtime.cameras_capture', payload);
      return { reply, jpeg: captures?.take(id) ?? null };
    },
    send(method, payload = {}, { caller = CALLER } = {}) {
      let reply: Reply | null = null;
      hand(method, payload, caller, (answer) => {
        reply = answer;
      });
      return {
        get reply() {
          return reply;
        },
      };
    },
    step(count = 1) {
      if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(texts.wrongStepCount(count));
      present();
      for (let made = 0; made < count; made += 1) makeStep();
    },
    reset(nextSeed = seed) {
      requireSeed(nextSeed);
      const before = present();
      abandonAll(texts.simulationReset);
      captures?.forget();
      seed = nextSeed;
      clock = createModelledClock();
      stepCount = 0;
      requests = 0;
      actions = 0;
      robot = begin();
      before.runtime.dispose();
    },
    state: () => present().runtime.state(clock.nowMs()),
    sceneState: () => present().runtime.sceneState(clock.nowMs()),
    layout: () => present().runtime.layout(),
    hash: () => stateHash(present().core.world),
    dispose() {
      if (robot === null) return;
      const { runtime } = robot;
      robot = null;
      abandonAll(texts.simulationDisposed);
      captures?.forget();
      runtime.dispose();
      void pictures?.close();
    },
  };
}

function requireSeed(seed: unknown): void {
  const isSeed = typeof seed === 'number' && Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED;
  if (!isSeed) throw new RangeError(texts.wrongSeed(seed));
}
