/**
 * The reports of real runtimes in worlds that have just begun: recorded when the gallery is built, and replayed by its
 * still engine.
 */
import type { MethodName } from '../../src/protocol/wire/methods.ts';
import type { ScenePlace } from '../../src/protocol/wire/place.ts';
import type { RuntimeProfile } from '../../src/protocol/wire/profile.ts';
import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import type { RobotId } from '../../src/protocol/wire/robot.ts';
import type { SceneState } from '../../src/protocol/wire/scene.ts';
import type { SceneId } from '../../src/protocol/wire/scene-ids.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { startEngine } from '../../src/worker/robot/physics-engine.ts';

/** One world, as its runtime reports it. */
export interface Recording {
  place: ScenePlace;
  frame: RenderState;
  scene: SceneState;
  runtime: RuntimeState;
  /** Replies to calls that only read. */
  answers: Partial<Record<MethodName, unknown>>;
}

/** The worlds of the gallery, by the contract of their robot, and one with another scene and robot. */
export type Recordings = Record<RuntimeProfile | 'hall', Recording>;

const ANSWERED = ['runtime.tools_list', 'runtime.capabilities', 'runtime.manifest', 'runtime.scene_layout'] as const;
/** 0.5 s, after which the robot stands. */
const STEPS = 60;

async function record(profile: RuntimeProfile, sceneId: SceneId, robotId: RobotId): Promise<Recording> {
  const runtime = createRuntime({
    rapier: await startEngine(),
    seed: 1,
    sceneId,
    robotId,
    profile,
    productVersion: '0.0.0',
    newActionId: () => 'action',
    startCapture: () => undefined,
    onAction: () => undefined,
  });
  for (let step = 0; step < STEPS; step += 1) runtime.step(step * 8);
  const nowMs = STEPS * 8;
  const answers: Recording['answers'] = {};
  for (const method of ANSWERED) {
    const call = { requestId: method, method, payload: '{}', callerIdentity: null, nowMs };
    runtime.handle(call, (text) => {
      answers[method] = JSON.parse(text);
    });
  }
  const recording = {
    place: runtime.layout(),
    frame: runtime.renderState(),
    scene: runtime.sceneState(nowMs),
    runtime: runtime.state(nowMs),
    answers,
  };
  runtime.dispose();
  return recording;
}

/** Records the worlds of the gallery. */
export const recordWorlds = async (): Promise<Recordings> => ({
  simulator: await record('simulator', 'warehouse', 'humanoid'),
  worker: await record('worker', 'warehouse', 'humanoid'),
  hall: await record('simulator', 'hall', 'picker'),
});
