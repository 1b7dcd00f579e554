import type { ScenePlace } from '../../src/protocol/wire/place.ts';
import { EMPTY_OVERLAY, type Overlay, type RenderState } from '../../src/protocol/wire/render-state.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { createChance } from '../oracle/chance.ts';
import { randomWorld } from '../protocol/world-stream/random-world.ts';

export const LAYOUT: ScenePlace = {
  robot: 'humanoid',
  scene_id: 'warehouse',
  look: 'warehouse',
  dressing: null,
  bounds: { min: [-5, -8, 0], max: [5, 4, 3] },
  obstacles: [],
  pads: [],
  slots: [],
  furniture: [],
  cameras: [],
  spawn: { frame_id: 'world', position: [0, 0, 0.62], yaw_deg: 0 },
};

const SHOWN = randomWorld(createChance(1));
export const FRAME = { step: 0, simTimeS: 0, cameras: { pov: {}, topdown: {} } } as unknown as RenderState;
export const RUNTIME_STATE = {
  runtime: { status: 'ready' },
  robot: { status: 'ready', held_entity_ids: [], extra: { nav: { active: false }, sim: { seed: 1 } } },
} as unknown as RuntimeState;

/** A runtime that only records what it receives. */
export function createFakeRuntime() {
  const log: unknown[][] = [];
  const fake = {
    log,
    steps: 0,
    speed: 1,
    layout: LAYOUT,
    overlay: EMPTY_OVERLAY as Overlay,
    stepTakes: () => {},
    timing: { realTimeFactor: 0, hidden: false },
  };
  const runtime: Runtime = {
    handle(call, reply) {
      log.push(['handle', call]);
      reply(`{"to":"${call.requestId}"}`);
    },
    step() {
      fake.steps += 1;
      fake.stepTakes();
    },
    noteWallClock: () => undefined,
    finishCapture: (...args) => void log.push(['finishCapture', ...args]),
    noteCameras: (...args) => void log.push(['noteCameras', ...args]),
    noteTiming: (timing) => void Object.assign(fake.timing, timing),
    noteSuspended: (...args) => void log.push(['noteSuspended', ...args]),
    obeyOwner: (...args) => void log.push(['obeyOwner', ...args]),
    noteLeft: (...args) => void log.push(['noteLeft', ...args]),
    speed: () => fake.speed,
    renderState: () => FRAME,
    overlay: () => fake.overlay,
    // Its joints move with every step.
    worldSnapshot: (nowMs) => ({
      ...SHOWN,
      state: {
        ...SHOWN.state,
        step: fake.steps,
        jointPositions: SHOWN.state.jointPositions.map((rad) => rad + fake.steps / 100),
      },
      stepTimeMs: nowMs,
    }),
    state: () => RUNTIME_STATE,
    sceneState: () => ({ timestamp: { step: 0, sim_time_s: 0, wall_time_ms: 0 }, entities: {} }),
    layout: () => fake.layout,
    cancelActive: (...args) => void log.push(['cancelActive', ...args]),
    emergencyStop: (...args) => void log.push(['emergencyStop', ...args]),
    releaseEmergencyStop: (...args) => void log.push(['releaseEmergencyStop', ...args]),
    keep: () => null,
    restore: () => ({ ok: false, reason: 'damaged' }),
    remembered: () => [],
    recall: () => [],
    dispose: () => {},
  };
  return { runtime, fake };
}
