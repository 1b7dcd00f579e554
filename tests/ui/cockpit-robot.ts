import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { Driver } from '../../src/protocol/wire/driver.ts';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { ActionView, Engine } from '../../src/viewer/engine/types.ts';
import { createCockpit } from '../../src/viewer/ui/cockpit/cockpit-controller.ts';
import { actionView, stillEngine } from './examples.ts';
import { rcwState } from './rcw-examples.ts';

export const EPOCH_MS = 1_800_000_000_000;
export const FORWARD = { forward: 1, left: 0, turnLeft: 0 };
export const REST = { forward: 0, left: 0, turnLeft: 0 };
export const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
export const MEASURED = { r_arm: [0.4, 0.2, 0.01, -0.9, 0], l_arm: [-0.4, -0.2, 0, 0.9, 0.02] };
export type Pose = typeof STANDING;
export type Control = Parameters<typeof rcwState>[0];

export interface Call {
  name: string;
  input: { vx?: number; vy?: number; vyaw?: number; r_arm?: number[]; l_arm?: number[] };
  id: string;
}

export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A robot whose arms reach a pose at once, or that rejects the calls that a test names. */
export function cockpit({ answers = true }: { answers?: boolean } = {}) {
  const calls: Call[] = [];
  let nowMs = 0;
  let stops = 0;
  let beat = (): void => undefined;
  let ended = false;
  let isSilent = false;
  let refusal: { code: string; message: string } | null = null;
  let arms: Pose = MEASURED;
  let session = false;
  let velocity = { vx: 0, vy: 0, wz: 0 };
  let actions: ActionView[] = [];
  let driver: Driver | null = null;
  let parked: (() => void)[] | null = null;
  const store = createViewerStore();
  const state = (control: Control = {}) => {
    const holds = velocity.vx !== 0 || velocity.vy !== 0 || velocity.wz !== 0;
    const upper = session
      ? { mode: 'trajectory' as const, commanded: arms, packet_age_ms: 4, measured: arms }
      : { measured: arms };
    const now = rcwState({ velocity_holds: holds, upper_body: upper, ...control }, EPOCH_MS + nowMs, velocity);
    return { ...now, robot: { ...now.robot, extra: { ...now.robot.extra, driver } } };
  };
  const report = (control?: Control) => store.setState({ runtime: state(control), actions });
  const reply = (id: string) => {
    const atMs = EPOCH_MS + nowMs;
    const meta = { action_id: id || 'x', started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 };
    if (!refusal) return { status: 'done', result: {}, meta };
    const details = { stage: 'control', attempted: false, world_changed: 'no', retryable: true };
    return { status: 'failed', error: { ...refusal, details } };
  };
  const engine: Engine = {
    ...stillEngine({}),
    store,
    stop: () => {
      stops += 1;
      velocity = { vx: 0, vy: 0, wz: 0 };
      session = false;
    },
    call: async (method, payload) => {
      if (method === 'runtime.state') return state();
      if (method !== 'runtime.tools_call') throw new Error('not asked for');
      const { name, input, options } = payload as { name: string; input: Call['input']; options?: { action_id: string } };
      calls.push({ name, input, id: options?.action_id ?? '' });
      if (!answers || isSilent) return new Promise(() => undefined);
      if (parked && name === 'set_velocity') await new Promise<void>((land) => parked?.push(land));
      if (!refusal) {
        session = name === 'set_upper_body';
        if (session) arms = input as Pose;
        else velocity = { vx: input.vx ?? 0, vy: input.vy ?? 0, wz: input.vyaw ?? 0 };
      }
      return reply(options?.action_id ?? '');
    },
  };
  report();
  const made = createCockpit({
    engine,
    nowMs: () => nowMs,
    epochMs: () => EPOCH_MS + nowMs,
    newId: () => 's',
    speedShare: 1,
    startTimer: (given) => {
      beat = given;
      return () => {
        ended = true;
      };
    },
  });
  /** Ticks every 10 ms, and reports the state ten times a second. */
  const later = async (ms: number) => {
    for (const endMs = nowMs + ms; nowMs < endMs; ) {
      nowMs += 10;
      if (nowMs % 100 === 0) report();
      if (!ended) beat();
      await settle();
    }
  };
  return {
    made,
    calls,
    later,
    report,
    pause: async (ms: number) => {
      nowMs += ms;
      beat();
      await settle();
    },
    refuse: (next: typeof refusal) => {
      refusal = next;
    },
    act: (next: ActionView[]) => {
      actions = next;
      report();
    },
    /** Gives the lease to another participant. */
    drivenBy: (next: Driver | null) => {
      driver = next;
      report();
    },
    /** Holds later packets in transit until `land`. */
    park: () => {
      parked = [];
    },
    land: async () => {
      for (const land of parked?.splice(0) ?? []) land();
      parked = null;
      await settle();
    },
    /** Leaves all later skill calls without an answer. */
    silence: () => {
      isSilent = true;
    },
    /** Sets the body’s velocity as another participant would. */
    move: (vx: number) => {
      velocity = { vx, vy: 0, wz: 0 };
      report();
    },
    sag: (pose: Pose) => {
      arms = pose;
    },
    moves: () => velocity.vx !== 0 || velocity.vy !== 0 || velocity.wz !== 0,
    stops: () => stops,
    ended: () => ended,
    arms: () => arms,
    notice: () => made.view.getState().notice,
    mode: () => made.view.getState().arms,
  };
}

/** The calls as a list of words; consecutive poses count as one. */
export function story(calls: readonly Call[]): string[] {
  const words = calls.map(({ name, input }) => {
    if (name === 'set_upper_body') return 'pose';
    if (name === 'stop') return 'stop';
    return input.vx === 0 && input.vy === 0 && input.vyaw === 0 ? 'zero velocity' : 'velocity';
  });
  return words.filter((word, index) => word !== 'pose' || words[index - 1] !== 'pose');
}

export const theirs = (change: Partial<ActionView>): ActionView => ({
  ...actionView({ name: 'set_velocity', input: { vx: 0.3, vy: 0, vyaw: 0 } }),
  actionId: 'theirs',
  caller: unsignedCaller('sorter'),
  ...change,
});
export const at = (name: string, atMs: number): ActionView => {
  const meta = { action_id: 'theirs', started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 };
  const result = { status: 'done' as const, result: { holds: name === 'set_velocity' }, meta };
  return theirs({ name, startedAtMs: atMs, result });
};
