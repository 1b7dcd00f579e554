import { contractOf } from '../../protocol/wire/contract.ts';
import { refusedScene } from '../../protocol/wire/scene-outcome.ts';
import type { CameraState } from '../../runtime/action-record.ts';
import type { SignedTrust } from '../../runtime/host/signed-queue.ts';
import type { ControlTrust, FromSimulation, KeepOrder, ToSimulation } from '../../runtime/host/sim-messages.ts';
import { createSimulationHost, type SimulationHost } from '../../runtime/host/simulation-host.ts';
import type { RuntimeDeps } from '../../runtime/runtime.ts';
import { placeOf, Scenes } from '../../simulation/scene.ts';
import { askForPhysics } from './ask-for-physics.ts';
import { createBatch } from './batch.ts';
import { createHeldBack } from './kept/held-back.ts';
import { createKeeper, type Keeper } from './kept/keeper.ts';
import { openWorldStore } from './kept/world-store.ts';
import { NO_TASK, NOT_STARTED, READER_MISSING, STOPPED } from './simulation-texts.ts';
import { createSleep } from './sleeper.ts';
import type { JudgedRobot } from './tasks/judged-worker.ts';

interface WorkerScope {
  postMessage(messages: FromSimulation[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToSimulation>) => void): void;
}
const scope = self as unknown as WorkerScope;
const batch = createBatch<FromSimulation>(
  (messages) => scope.postMessage(messages),
  // biome-ignore lint/suspicious/noConsole: developers look for faults in the console.
  (thrown) => console.error('A message of the simulation could not be sent:', thrown),
);
const post = batch.say;

/**
 * The first steps of a new engine run slow code, so they are made in a separate world before the robot reports ready. Later steps
 * take at most half of a step's time, so the robot's own steps can complete the warm-up.
 */
const WARM_UP_STEPS = 24;
const WARM_UP_SLICE = 8;
/** Shares of the physics part's progress, in proportion to the time that each takes. */
const ASKED_FOR = 0.05;
const CODE_LOADED = 0.6;
const ENGINE_STARTED = 0.7;

/** The scenes that this robot can be in. Files add more. */
const scenes = new Scenes();
let host: SimulationHost | null = null;
/** The recorded run of a task, if this world has a task. */
let judged: JudgedRobot | null = null;
let trust: ControlTrust | null = null;
/** Presses and releases of the emergency stop that came before the robot existed. The robot must start with them applied. */
const pressed: Extract<ToSimulation, { kind: 'emergency-stop' }>[] = [];
/** The last state of the cameras before the robot existed. */
let cameras: CameraState = { kind: 'starting' };
/** Stores the world in the browser, once there is a world. */
let keeper: Keeper | null = null;
/** The newest order while there is no world. */
let order: KeepOrder | null = null;
/** Whether an order is being followed. */
let following = false;
/** Holds messages while another world replaces this one. */
const heldBack = createHeldBack((message) => host?.receive(message));
/** The last report of watchers before the robot existed. */
let watchers: Extract<ToSimulation, { kind: 'watchers' }> | null = null;
/** The last report of whether the page is hidden, before the robot existed. */
let hidden: boolean | null = null;

scope.addEventListener('message', ({ data }) => {
  try {
    take(data);
  } catch (thrown) {
    // The page treats a thrown error as the end.
    batch.flush();
    throw thrown;
  }
});

function take(data: ToSimulation): void {
  if (data.kind === 'control-trust') {
    trust = data.trust;
    return;
  }
  if (data.kind === 'emergency-stop' && host === null) {
    pressed.push(data);
    return;
  }
  if (data.kind === 'cameras' && host === null) {
    cameras = data.cameras;
    return;
  }
  if (data.kind === 'watchers' && host === null) {
    watchers = data;
    return;
  }
  if (data.kind === 'visibility' && host === null) {
    hidden = data.hidden;
    return;
  }
  if (data.kind === 'keep') {
    order = { ...data.order, forget: [...(order?.forget ?? []), ...data.order.forget] };
    void followOrder();
    return;
  }
  if (data.kind === 'take-scene') {
    void takeScene(data.askId, data.text);
    return;
  }
  if (data.kind === 'ask-proof') {
    post({ kind: 'proof', askId: data.askId, outcome: judged?.proof() ?? { ok: false, problem: NO_TASK } });
    return;
  }
  if (data.kind !== 'start') {
    heldBack.take(data);
    return;
  }
  order ??= data.keep;
  start(data).catch(() => {
    post({ kind: 'failed', message: host ? STOPPED : NOT_STARTED });
  });
}

/** Reads a scene file. The code for it is loaded with the first file. */
async function takeScene(askId: number, text: string): Promise<void> {
  const outcome = await import('../../simulation/scene-file/take.ts').then(
    ({ takeSceneFile }) => takeSceneFile(text, scenes),
    () => refusedScene(READER_MISSING),
  );
  post({ kind: 'scene-taken', askId, outcome });
}

/** Follows the page's orders one after the other. No call reaches a world that is about to be replaced. */
async function followOrder(): Promise<void> {
  if (!keeper || following) return;
  following = true;
  heldBack.hold();
  while (order) {
    const next = order;
    order = null;
    await keeper.follow(next);
  }
  following = false;
  heldBack.letGo();
}

/** Loading progress and its receiver. There is no receiver before the start. */
let progress: Extract<FromSimulation, { kind: 'progress' }> = { kind: 'progress', fraction: ASKED_FOR };
let reportProgress = (_progress: FromSimulation): void => {};
// Starts immediately: the page may still be loading the code that sends `start`.
const parts = loadParts();
// The code that starts the worker receives the error.
parts.catch(() => undefined);

/** Loads the physics engine and creates the parts that depend on it. */
function loadParts() {
  askForPhysics((loaded, total) => {
    progress = {
      kind: 'progress',
      fraction: ASKED_FOR + (CODE_LOADED - ASKED_FOR) * (loaded / total),
      bytes: { loaded, total },
    };
    reportProgress(progress);
  });
  return Promise.all([
    import('@dimforge/rapier3d-compat'),
    import('../../runtime/runtime.ts'),
    import('../../runtime/host/warm-up.ts'),
  ]);
}

/**
 * Starts the robot: 1. reports the place, so that the cameras build it meanwhile; 2. waits for the physics engine; 3. builds the
 * world; 4. warms up; 5. runs.
 */
async function start(options: Extract<ToSimulation, { kind: 'start' }>): Promise<void> {
  const sleep = createSleep();
  const scene = scenes.byId(options.sceneId);
  if (scene) post({ kind: 'layout', layout: placeOf(scene, options.robotId) });
  reportProgress = post;
  post(progress);
  const [{ default: rapier }, { createRuntime }, { warmUp }] = await parts;
  await rapier.init();
  post({ kind: 'progress', fraction: ENGINE_STARTED });

  const runtimeDeps: RuntimeDeps = {
    rapier,
    seed: options.seed,
    scenes,
    sceneId: options.sceneId,
    robotId: options.robotId,
    productVersion: options.productVersion,
    lifeId: crypto.randomUUID(),
    newActionId: () => crypto.randomUUID(),
    profile: options.profile,
    signedControlRequired: options.signedControlRequired,
    onPlace: (layout) => post({ kind: 'layout', layout }),
    startCapture: (job) => post({ kind: 'capture', job }),
    onAction: (record) => post({ kind: 'action', record }),
    onAccepted: (accepted) => keeper?.note(accepted),
    // biome-ignore lint/suspicious/noConsole: developers look for thrown errors in the console.
    onFault: ({ incident, actionId, thrown }) => console.error(`Fault ${incident}, action ${actionId ?? 'none'}:`, thrown),
    onEmergency({ latched }) {
      post({ kind: 'emergency', latched });
      host?.keepSoon();
    },
    onEvent: (event) => post({ kind: 'event', event }),
    onEnded(stored) {
      keeper?.note(stored);
      host?.keepSoon();
    },
  };
  judged = options.task && (await import('./tasks/judged-worker.ts')).createJudgedRobot(runtimeDeps, options.task, post);
  const runtime = judged?.runtime ?? createRuntime(runtimeDeps);
  const worldKeeper = createKeeper({
    store: openWorldStore(),
    owner: options.owner,
    runtime,
    nowMs: () => Date.now(),
    report: post,
    after: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  keeper = worldKeeper;
  // Runs in parallel with the warm-up, which uses a world of its own.
  const followed = followOrder();
  post({ kind: 'frame', renderState: runtime.renderState(), overlay: runtime.overlay() });

  const { seed, sceneId, robotId } = options;
  batch.flush();
  await warmUp(
    rapier,
    { seed, scenes, sceneId, robotId },
    {
      steps: WARM_UP_STEPS,
      sliceSteps: WARM_UP_SLICE,
      onShare: (share) => post({ kind: 'progress', fraction: ENGINE_STARTED + (1 - ENGINE_STARTED) * share }),
      rest: () => sleep(0),
    },
  );
  await followed;

  host = createSimulationHost({
    runtime,
    post,
    flush: batch.flush,
    sleep,
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
    hidden: hidden ?? options.hidden,
    keeper: worldKeeper,
    ...(contractOf(options.profile).isSigned ? { signedControl } : {}),
  });
  runtime.noteCameras(cameras);
  for (const message of watchers ? [...pressed, watchers] : pressed) host.receive(message);
  post({ kind: 'ready' });
  batch.flush();
  await host.run();
}

const signedControl: SignedTrust = {
  trustedKeys: () => trust?.keys ?? null,
  get robotId() {
    return trust?.robotId ?? '';
  },
  get session() {
    return trust?.session ?? '';
  },
};
