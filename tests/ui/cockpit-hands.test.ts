/** The order of calls in the cockpit, recorded at a robot that answers like a worker. */
import { describe, expect, it } from 'vitest';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { ActionView, Engine } from '../../src/viewer/engine/types.ts';
import { createCockpit } from '../../src/viewer/ui/cockpit/cockpit-controller.ts';
import { actionView, stillEngine } from './examples.ts';
import { workerState } from './worker-examples.ts';

const EPOCH_MS = 1_800_000_000_000;
const FORWARD = { forward: 1, left: 0, turnLeft: 0 };
const REST = { forward: 0, left: 0, turnLeft: 0 };
const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
const MEASURED = { r_arm: [0.4, 0.2, 0.01, -0.9, 0], l_arm: [-0.4, -0.2, 0, 0.9, 0.02] };
type Pose = typeof STANDING;
type Control = Parameters<typeof workerState>[0];

interface Call {
  name: string;
  input: { vx?: number; vy?: number; vyaw?: number; r_arm?: number[]; l_arm?: number[] };
  id: string;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A robot whose arms are at once where they are sent, or that refuses what a test says. */
function cockpit({ answers = true }: { answers?: boolean } = {}) {
  const calls: Call[] = [];
  let nowMs = 0;
  let stops = 0;
  let beat = (): void => undefined;
  let ended = false;
  let refusal: { code: string; message: string } | null = null;
  let arms: Pose = MEASURED;
  let session = false;
  let velocity = { vx: 0, vy: 0, wz: 0 };
  let actions: ActionView[] = [];
  let parked: (() => void)[] | null = null;
  const store = createViewerStore();
  const state = (control: Control = {}) => {
    const holds = velocity.vx !== 0 || velocity.vy !== 0 || velocity.wz !== 0;
    const upper = session
      ? { mode: 'trajectory' as const, commanded: arms, packet_age_ms: 4, measured: arms }
      : { measured: arms };
    return workerState({ velocity_holds: holds, upper_body: upper, ...control }, EPOCH_MS + nowMs, velocity);
  };
  const tell = (control?: Control) => store.setState({ runtime: state(control), actions });
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
      if (!answers) return new Promise(() => undefined);
      if (parked && name === 'set_velocity') await new Promise<void>((land) => parked?.push(land));
      if (!refusal) {
        session = name === 'set_upper_body';
        if (session) arms = input as Pose;
        else velocity = { vx: input.vx ?? 0, vy: input.vy ?? 0, wz: input.vyaw ?? 0 };
      }
      return reply(options?.action_id ?? '');
    },
  };
  tell();
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
  /** Beats every 10 ms, and tells the state ten times a second. */
  const later = async (ms: number) => {
    for (const endMs = nowMs + ms; nowMs < endMs; ) {
      nowMs += 10;
      if (nowMs % 100 === 0) tell();
      if (!ended) beat();
      await settle();
    }
  };
  return {
    made,
    calls,
    later,
    tell,
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
      tell();
    },
    /** What is sent from now on stays on the way until `land`. */
    park: () => {
      parked = [];
    },
    land: async () => {
      for (const land of parked?.splice(0) ?? []) land();
      parked = null;
      await settle();
    },
    /** The body's velocity is set by somebody else. */
    move: (vx: number) => {
      velocity = { vx, vy: 0, wz: 0 };
      tell();
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

/** The calls as a list of words, poses that follow each other as one. */
function story(calls: readonly Call[]): string[] {
  const words = calls.map(({ name, input }) => {
    if (name === 'set_upper_body') return 'pose';
    if (name === 'stop') return 'stop';
    return input.vx === 0 && input.vy === 0 && input.vyaw === 0 ? 'zero velocity' : 'velocity';
  });
  return words.filter((word, index) => word !== 'pose' || words[index - 1] !== 'pose');
}

const theirs = (change: Partial<ActionView>): ActionView => ({
  ...actionView({ name: 'set_velocity', input: { vx: 0.3, vy: 0, vyaw: 0 } }),
  actionId: 'theirs',
  caller: 'sorter',
  ...change,
});
const at = (name: string, atMs: number): ActionView => {
  const meta = { action_id: 'theirs', started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 };
  const result = { status: 'done' as const, result: { holds: name === 'set_velocity' }, meta };
  return theirs({ name, startedAtMs: atMs, result });
};

describe('rule 7: entering arm mode', () => {
  it('stops the drive first, then sends the pose that is measured', async () => {
    const { made, calls, later, mode } = cockpit();
    made.hold('keys', FORWARD);
    await later(300);
    made.toggleArms();
    expect(mode()).toBe('entering');
    await later(100);
    expect(mode()).toBe('on');
    expect(story(calls)).toEqual(['velocity', 'velocity', 'stop', 'pose']);
    expect(calls.find(({ name }) => name === 'set_upper_body')?.input).toEqual(MEASURED);
  });

  it('streams that pose 50 times a second while nothing else is asked', async () => {
    const { made, calls, later } = cockpit();
    made.toggleArms();
    await later(100);
    const before = calls.length;
    await later(1_000);
    expect(calls.length - before).toBe(50);
    expect(calls.at(-1)?.input).toEqual(MEASURED);
  });

  it('does not begin when the stop is refused, and says why', async () => {
    const { made, calls, later, refuse, mode, notice } = cockpit();
    refuse({ code: 'PERMISSION_DENIED', message: 'Unsigned.' });
    made.toggleArms();
    await later(30);
    expect(mode()).toBe('off');
    expect(calls.some(({ name }) => name === 'set_upper_body')).toBe(false);
    expect(notice()).toContain('Unsigned.');
  });

  it('is given up when the robot never says that it stands, and a zero velocity is repeated', async () => {
    const { made, calls, later, mode, notice, stops } = cockpit({ answers: false });
    made.hold('keys', FORWARD);
    made.toggleArms();
    await later(5_900);
    expect(mode()).toBe('entering');
    await later(1_200);
    expect(mode()).toBe('off');
    expect(notice()).toMatch(/has not (said|confirmed)/);
    expect(made.view.getState().lettingGo).toBe(true);
    expect(stops()).toBeGreaterThan(0);
    expect(story(calls).slice(0, 4)).toEqual(['velocity', 'stop', 'zero velocity', 'zero velocity']);
  });

  it('does not begin on a robot that walks again by then', async () => {
    const { made, calls, move, later, mode, notice } = cockpit();
    made.toggleArms();
    // The stop has been taken, its answer is on the way.
    await Promise.resolve();
    move(0.3);
    await later(30);
    expect(mode()).toBe('off');
    expect(calls.some(({ name }) => name === 'set_upper_body')).toBe(false);
    expect(notice()).toContain('somebody drives it');
  });

  it('moves no legs while it is on: what is held counts again after it has been let go', async () => {
    const { made, calls, later } = cockpit();
    made.toggleArms();
    await later(100);
    made.hold('gamepad', FORWARD);
    await later(100);
    made.toggleArms();
    await later(1_000);
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
    made.hold('gamepad', REST);
    made.hold('gamepad', FORWARD);
    await later(50);
    expect(story(calls).at(-1)).toBe('velocity');
  });
});

describe('rule 7: leaving arm mode', () => {
  it('sends the standing pose, then a velocity command', async () => {
    const { made, calls, later, mode, arms } = cockpit();
    made.toggleArms();
    await later(100);
    made.choosePreset('Reach');
    await later(1_500);
    expect(arms().r_arm[0]).toBe(-1.25);
    made.toggleArms();
    expect(mode()).toBe('leaving');
    await later(1_500);
    expect(mode()).toBe('off');
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
    expect(calls.at(-2)?.input).toEqual(STANDING);
    await later(2_000);
    expect(calls.at(-1)?.name).toBe('set_velocity');
    expect(made.view.getState().lettingGo).toBe(false);
  });

  it.each([
    'the window loses the focus',
    'the tab is hidden',
    'the gamepad is pulled out',
    'the room is lost',
  ])('at once and in the same order when %s', async (why) => {
    const { made, calls, later, mode, notice } = cockpit();
    made.toggleArms();
    await later(100);
    made.choosePreset('Wave');
    await later(500);
    made.halt(`Test: ${why}.`);
    expect(mode()).toBe('off');
    expect(calls.slice(-2)).toMatchObject([
      { name: 'set_upper_body', input: STANDING },
      { name: 'set_velocity', input: { vx: 0, vy: 0, vyaw: 0 } },
    ]);
    await later(500);
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
    expect(notice()).toContain(why);
  });

  it('goes on until the robot has confirmed it, although the cockpit is put away', async () => {
    const { made, calls, later, tell, ended } = cockpit();
    made.toggleArms();
    await later(100);
    made.dispose();
    expect(ended()).toBe(false);
    await later(90);
    tell();
    await later(20);
    expect(ended()).toBe(true);
    expect(story(calls)).toEqual(['stop', 'pose', 'zero velocity']);
  });
});

describe('rule 8: a nudge and a preset reach the robot', () => {
  it('0.05 rad of the chosen joint, from where the arm is sent', async () => {
    const { made, later, arms } = cockpit();
    made.toggleArms();
    await later(100);
    made.chooseArm('l_arm');
    made.cycleJoint(1);
    made.nudge(1);
    made.nudge(1);
    await later(100);
    expect(arms()).toEqual({ ...MEASURED, l_arm: [-0.4, -0.1, 0, 0.9, 0.02] });
  });

  it('after a pause of the page the stream goes on from where the arms hang', async () => {
    const { made, calls, later, pause, sag, notice } = cockpit();
    const HANGING = { r_arm: [0.1, 0.05, 0, -0.3, 0], l_arm: [-0.1, -0.05, 0, 0.3, 0] };
    made.toggleArms();
    await later(100);
    made.choosePreset('Reach');
    await later(100);
    const before = calls.length;
    sag(HANGING);
    await pause(400);
    expect(notice()).toContain('went limp');
    await later(100);
    const [first] = calls.slice(before);
    expect(first?.input).toEqual(HANGING);
  });
});

describe('hold to drive, on a robot that keeps its velocity', () => {
  it('sends a change at once by the worker’s own names, renews it, and a zero velocity when it is let go', async () => {
    const { made, calls, later } = cockpit();
    made.hold('keys', { forward: 1, left: 0, turnLeft: 1 });
    expect(calls[0]).toMatchObject({ name: 'set_velocity', input: { vx: 1.5, vy: 0, vyaw: 1.5 } });
    expect(Object.keys(calls[0]?.input ?? {})).toEqual(['vx', 'vy', 'vyaw']);
    await later(1_000);
    expect(calls.length).toBe(5);
    made.hold('keys', REST);
    expect(story(calls).at(-1)).toBe('zero velocity');
    await later(1_000);
    expect(calls.length).toBe(6);
    expect(made.view.getState().lettingGo).toBe(false);
  });

  it('repeats the zero velocity until it is confirmed, then presses the page’s stop', async () => {
    const { made, calls, later, stops } = cockpit({ answers: false });
    made.hold('keys', FORWARD);
    made.hold('keys', REST);
    await later(1_000);
    expect(story(calls)).toEqual(['velocity', ...new Array<string>(5).fill('zero velocity')]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(stops()).toBeGreaterThan(0);
    expect(made.view.getState().lettingGo).toBe(true);
  });

  it('repeats it in a hidden page too, whose timers are always late', async () => {
    const { made, calls, pause } = cockpit({ answers: false });
    made.hold('keys', FORWARD);
    made.halt('Test: out of view.');
    for (let beat = 0; beat < 3; beat += 1) await pause(1_000);
    expect(story(calls)).toEqual(['velocity', ...new Array<string>(4).fill('zero velocity')]);
  });

  it('hears first what was told while the page was busy, then renews', async () => {
    const { made, calls, later, pause } = cockpit();
    made.hold('keys', FORWARD);
    await later(10);
    await pause(400);
    expect(story(calls)).toEqual(['velocity']);
    await pause(10);
    expect(story(calls)).toEqual(['velocity', 'velocity']);
  });

  it('leaves a robot that somebody else took to them', async () => {
    const { made, calls, later, act, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(20);
    act([at('set_velocity', EPOCH_MS + 30)]);
    await later(20);
    expect(notice()).toMatch(/^Sorter drives now\. Let go/);
    made.hold('keys', REST);
    await later(500);
    expect(story(calls)).toEqual(['velocity']);
  });

  it('stops what its own renewal would keep going after somebody’s stop', async () => {
    const { made, calls, later, act, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(300);
    act([at('stop', EPOCH_MS + 200)]);
    await later(20);
    expect(notice()).toMatch(/^Sorter stopped the robot/);
    expect(story(calls)).toEqual(['velocity', 'velocity', 'zero velocity']);
  });

  it('stops what a renewal that was under way starts again after somebody’s stop', async () => {
    const { made, later, act, park, land, move, moves, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(240);
    park();
    await later(20);
    move(0);
    act([at('stop', EPOCH_MS + 255)]);
    await later(20);
    expect(notice()).toMatch(/^Sorter stopped the robot/);
    await land();
    await later(400);
    expect(moves()).toBe(false);
    expect(made.view.getState().lettingGo).toBe(false);
  });

  it('stops what a command does that reached the robot only after the stop was confirmed', async () => {
    const { made, calls, later, tell, park, land, moves } = cockpit();
    park();
    made.hold('keys', FORWARD);
    tell({ emergency_stop: true });
    await later(10);
    tell();
    await land();
    expect(story(calls)).toEqual(['velocity', 'zero velocity']);
    await later(400);
    expect(moves()).toBe(false);
  });

  it('takes back that nothing was confirmed when it is', async () => {
    const { made, later, park, land, notice } = cockpit();
    made.hold('keys', FORWARD);
    await later(20);
    park();
    made.hold('keys', REST);
    await later(900);
    expect(notice()).toMatch(/has not confirmed/);
    await land();
    await later(200);
    expect([made.view.getState().lettingGo, notice()]).toEqual([false, null]);
  });

  it('a gamepad that is read again after the page was busy renews nothing before the robot was heard', async () => {
    const { made, calls, later, pause } = cockpit();
    made.hold('gamepad', FORWARD);
    await later(10);
    await pause(400);
    made.hold('gamepad', FORWARD);
    expect(story(calls)).toEqual(['velocity']);
    await pause(10);
    expect(story(calls)).toEqual(['velocity', 'velocity']);
  });

  it('the stop ends the stream and everything else by the page’s own stop', async () => {
    const { made, calls, later, stops, mode } = cockpit();
    made.toggleArms();
    await later(100);
    made.stop();
    const sent = calls.length;
    await later(1_000);
    expect([stops(), mode(), calls.length]).toEqual([1, 'off', sent]);
  });
});

describe('the emergency stop', () => {
  it('ends arm mode without another word to the robot, and nothing is sent while it is latched', async () => {
    const { made, calls, tell, later, mode, notice } = cockpit();
    made.toggleArms();
    await later(100);
    tell({ emergency_stop: true });
    await later(20);
    expect([mode(), story(calls)]).toEqual(['off', ['stop', 'pose']]);
    expect(notice()).toContain('emergency stop');
    const sent = calls.length;
    tell({ emergency_stop: true });
    made.hold('keys', FORWARD);
    expect(calls.length).toBe(sent);
  });
});
