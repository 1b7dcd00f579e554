import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { RuntimeError } from '../../src/protocol/wire/error-codes.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { ActionView, Engine, ViewerState, Visit } from '../../src/viewer/engine/types.ts';

/** An ended action: done, or failed when an error is given. */
export function actionView({ error, ...change }: Partial<ActionView> & { error?: RuntimeError }): ActionView {
  const status = error ? 'failed' : 'done';
  return {
    actionId: 'a-1',
    kind: 'tool',
    name: 'go_to',
    input: {},
    caller: unsignedCaller('sorter'),
    phase: status,
    status,
    startedAtMs: 1_000,
    finishedAtMs: 2_400,
    progress: null,
    result: {
      status,
      ...(error ? { error } : { result: { position_error_m: 0.0123 } }),
      meta: { action_id: 'a-1', started_at_ms: 1_000, finished_at_ms: 2_400, duration_ms: 1_400 },
    },
    ...change,
  };
}

/** A robot that stands and holds nothing, with the changes of a test. */
export function runtimeState(
  change: {
    robot?: Partial<RuntimeState['robot']>;
    command?: { vx: number; vy: number; wz: number };
    sort_benchmark?: RuntimeState['robot']['extra']['sort_benchmark'];
  } = {},
): RuntimeState {
  return {
    timestamp: { step: 120, sim_time_s: 1, wall_time_ms: 1_000 },
    runtime: { status: 'ready', accepts_tool_calls: true, accepts_capture_requests: true },
    robot: {
      entity_id: 'robot',
      pose: { frame_id: 'world', position: [0.405, -1.497, 0.62], yaw_deg: 0 },
      status: 'ready',
      held_entity_ids: [],
      extra: {
        command: change.command ?? { vx: 0, vy: 0, wz: 0 },
        nav: { active: false },
        head: {
          target: { yaw: 0, pitch: 0 },
          measured: { yaw: 0, pitch: 0 },
          yaw_range: [-1.4, 1.4],
          pitch_range: [-0.6, 1],
        },
        sort_benchmark: change.sort_benchmark ?? {
          enabled: true,
          correct_count: 2,
          wrong_count: 0,
          spoiled_count: 0,
          collect: true,
          collected_count: 0,
          pallet_stack_counts: { pad_B: 2 },
        },
        sim: { seed: 1, speed: 1, real_time_factor: 1, hidden: false, suspended_ms: 0 },
      },
      ...change.robot,
    },
  };
}

/** An operator’s page that sees its robot live. */
export const VISIT: Visit = {
  access: 'drive',
  robotIsThere: true,
  offlineSinceMs: null,
  freshness: 'live',
  ageMs: 20,
  lostShare: 0,
  isStopped: false,
  roundTripMs: 8,
  isAnswered: true,
  stopProblem: null,
  stopDone: null,
  status: null,
  problem: null,
};

/** An engine in a given state that answers nothing: the source from which components draw. */
export function stillEngine(state: Partial<ViewerState>): Engine {
  const base = createViewerStore();
  const initial = { ...base.getState(), ...state };
  const refuse = () => Promise.reject(new Error('A still engine answers nothing.'));
  return {
    // Components drawn to text read the initial state.
    store: { ...base, getState: () => initial, getInitialState: () => initial },
    frames: { latest: () => null, overlay: () => ({ path: [], goal: null, targetEntityId: null }) },
    layout: () => null,
    connect: () => undefined,
    tryHere: () => undefined,
    openScene: async () => ({ ok: true, sceneId: 'own', title: 'Own' }),
    heldKey: () => null,
    stop: () => undefined,
    emergencyStop: () => undefined,
    disconnect: () => undefined,
    retry: () => undefined,
    capture: refuse,
    call: refuse,
    dispose: () => undefined,
  };
}
