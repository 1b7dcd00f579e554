import { describe, expect, it } from 'vitest';
import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { statusText } from '../../src/viewer/engine/status-text.ts';
import { initialState } from '../../src/viewer/engine/store.ts';
import type { ActionView, ViewerState } from '../../src/viewer/engine/types.ts';

const pose = { frame_id: 'world', position: [0, 0, 0.62] } as const;
const head = { yaw: 0, pitch: 0 };

function runtime(
  over: { name?: string; phase?: string; held?: string[]; status?: 'ready' | 'moving'; remaining_m?: number } = {},
): RuntimeState {
  return {
    timestamp: { step: 0, sim_time_s: 0, wall_time_ms: 0 },
    runtime: {
      status: over.name ? 'busy' : 'ready',
      ...(over.name
        ? { active_action: { action_id: 'a', kind: 'tool', name: over.name, started_at_ms: 0, phase: over.phase ?? 'walking' } }
        : {}),
      accepts_tool_calls: true,
      accepts_capture_requests: true,
    },
    robot: {
      entity_id: 'robot',
      pose: { ...pose, position: [0, 0, 0.62] },
      status: over.status ?? 'ready',
      held_entity_ids: over.held ?? [],
      extra: {
        command: { vx: 0, vy: 0, wz: 0 },
        nav: { active: false, ...(over.remaining_m === undefined ? {} : { remaining_m: over.remaining_m }) },
        head: { target: head, measured: head, yaw_range: [-1, 1], pitch_range: [-1, 1] },
        sort_benchmark: {
          enabled: false,
          correct_count: 0,
          wrong_count: 0,
          spoiled_count: 0,
          collect: true,
          collected_count: 0,
          pallet_stack_counts: {},
        },
        sim: { seed: 1, speed: 1, real_time_factor: 1, hidden: false, suspended_ms: 0 },
      },
    },
  };
}

const action = (name: string, input: unknown): ActionView => ({
  actionId: 'a',
  kind: 'tool',
  name,
  input,
  caller: unsignedCaller('client'),
  phase: 'walking',
  status: 'running',
  startedAtMs: 0,
  finishedAtMs: null,
  progress: null,
  result: null,
});

const live = (state: RuntimeState, actions: ActionView[] = []): ViewerState => ({
  ...initialState(),
  phase: 'live',
  runtime: state,
  actions,
});
const entity = (entity_id: string) => ({ target: { kind: 'entity', entity_id } });

describe('the activity of the robot in words', () => {
  it.each([
    ['Ready', live(runtime())],
    ['Moving', live(runtime({ status: 'moving' }))],
    ['Holding cube_4', live(runtime({ held: ['cube_4'] }))],
    ['Walking to pad_B · 3.2 m left', live(runtime({ name: 'go_to', remaining_m: 3.21 }), [action('go_to', entity('pad_B'))])],
    [
      'Driving to pad_B · 3.2 m left',
      {
        ...live(runtime({ name: 'go_to', remaining_m: 3.21 }), [action('go_to', entity('pad_B'))]),
        robotKind: 'picker' as const,
      },
    ],
    [
      'Picking up cube_4 · closing hands',
      live(runtime({ name: 'pick_entity', phase: 'closing hands' }), [action('pick_entity', entity('cube_4'))]),
    ],
    [
      'Placing on pad_B · walking',
      live(runtime({ name: 'place_entity' }), [action('place_entity', { target: { kind: 'slot', pad_id: 'pad_B', index: 2 } })]),
    ],
    [
      'Walking to (1.4, -5.5)',
      live(runtime({ name: 'go_to' }), [action('go_to', { target: { kind: 'pose', pose: { position: [1.4, -5.5, 0] } } })]),
    ],
    ['Driving', live(runtime({ name: 'set_velocity' }), [action('set_velocity', {})])],
    ['Setting up the benchmark', live(runtime({ name: 'configure_benchmark' }))],
    ['Placing', { ...live(runtime({ name: 'place_entity', phase: '' })), actions: [] }],
  ])('describes the activity: %s', (text, state) => {
    expect(statusText(state)).toBe(text);
  });

  it('describes which part is loading, its progress, and its problem', () => {
    const state = { ...initialState(), phase: 'loading' as const };
    const [physics, ...rest] = state.loading;
    if (!physics) throw new Error('no parts');
    expect(statusText({ ...state, loading: [{ ...physics, fraction: 0.456 }, ...rest] })).toBe('Loading: physics, 45 %');
    expect(statusText({ ...state, loading: [{ ...physics, problem: 'It does not start.' }, ...rest] })).toBe(
      'It does not start.',
    );
    expect(statusText(initialState())).toBe('');
  });
});
