/** The page of a worker: the facts that only it shows, and the controls that it does not offer. */

import { describe, expect, it } from 'vitest';
import { type Caller, PAGE, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { rcwSkillDescriptor, rcwSkillSpecOf } from '../../src/protocol/wire/rcw-skills.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { statusText } from '../../src/viewer/engine/status-text.ts';
import { initialState } from '../../src/viewer/engine/store.ts';
import type { ActionView } from '../../src/viewer/engine/types.ts';
import { watchdogText } from '../../src/viewer/ui/cockpit/LinkGauges.tsx';
import { hasSkill } from '../../src/viewer/ui/common/contract.ts';
import { stateTone } from '../../src/viewer/ui/common/motion.ts';
import { actionTitle } from '../../src/viewer/ui/common/texts.ts';
import { heldVelocity, isUnattended, othersCommandSince, othersSession } from '../../src/viewer/ui/common/who-moves.ts';
import { skillCallable } from '../../src/viewer/ui/console/callables.ts';
import { draftOf, filledValue } from '../../src/viewer/ui/console/form-model.ts';
import { actionView, VISIT } from './examples.ts';
import { controlState, rcwState } from './rcw-examples.ts';

const VELOCITY = { vx: 0.3, vy: 0, wz: 0 };
const live = (runtime = rcwState(), actions: ActionView[] = []) => ({
  ...initialState(),
  phase: 'live' as const,
  runtime,
  actions,
});

/** A velocity that was accepted at a moment. */
const velocity = (change: Partial<ActionView>, atMs: number): ActionView => ({
  ...actionView({ name: 'set_velocity', input: { vx: 0.3, vy: 0, vyaw: 0 } }),
  startedAtMs: atMs,
  result: {
    status: 'done',
    result: { holds: true },
    meta: { action_id: 'a', started_at_ms: atMs, finished_at_ms: atMs + 8, duration_ms: 8 },
  },
  ...change,
});

describe('the state in words', () => {
  it.each([
    [{ velocity_holds: true }, 'Driving until stopped', 'good'],
    [{ upper_body: { mode: 'trajectory' as const } }, 'Arms follow poses', 'good'],
    [{ upper_body: { mode: 'damp' as const } }, 'Arms limp', 'warn'],
    [{ velocity_holds: true, upper_body: { mode: 'trajectory' as const } }, 'Driving until stopped · Arms follow poses', 'good'],
    [{ emergency_stop: true, upper_body: { mode: 'damp' as const } }, 'Emergency stop', 'bad'],
    [{}, 'Ready', 'good'],
  ])('the control state %j is described as “%s”', (control, text, tone) => {
    expect(statusText(live(rcwState(control)))).toBe(text);
    expect(stateTone(live(rcwState(control)))).toBe(tone);
  });

  it('names the request to a worker', () => {
    expect(actionTitle({ kind: 'tool', name: 'set_velocity', input: { vx: 0.2, vy: 0, vyaw: 0.5 } })).toBe(
      'Drive 0.20 m/s forward, turn 29°/s left, until stopped',
    );
    expect(actionTitle({ kind: 'tool', name: 'set_velocity', input: { vx: 0, vy: 0, vyaw: 0 } })).toBe('Stop driving');
    expect(actionTitle({ kind: 'tool', name: 'set_velocity', input: { vx: 0.2, wz: 0 } })).toBe('Drive 0.20 m/s forward');
    expect(actionTitle({ kind: 'tool', name: 'stop', input: {} })).toBe('Stop');
  });
});

const OWN_HAND: Caller = { kind: 'page', hand: { stroke: null } };
const OWN_STROKE: Caller = { kind: 'page', hand: { stroke: { id: 's', number: 9 } } };

describe('a velocity that does not expire', () => {
  const holds = rcwState({ velocity_holds: true }, 5_000, VELOCITY);
  const people = [{ identity: 'sorter', name: 'Sorter' }] as ReturnType<typeof live>['known'];

  it('a velocity that does not expire is shown with the caller and time of its latest command', () => {
    const state = {
      ...live(holds, [
        velocity({ caller: unsignedCaller('early') }, 1_000),
        velocity({ caller: unsignedCaller('sorter') }, 3_000),
      ]),
      known: people,
    };
    expect(heldVelocity(state)).toEqual({ mine: false, who: 'Sorter', sinceMs: 3_000, command: VELOCITY });
  });

  it('a velocity belongs to the cockpit when its stroke is the latest, although the stroke started earlier', () => {
    const stroke = { ...velocity({ caller: OWN_STROKE, stroke: { id: 's', commands: 9 } }, 4_000), startedAtMs: 500 };
    expect(heldVelocity(live(holds, [velocity({}, 3_000), stroke]))?.mine).toBe(true);
    expect(heldVelocity(live(holds, [velocity({}, 4_500), stroke]))?.mine).toBe(false);
  });

  it('a velocity from this page’s own form does not belong to the cockpit', () => {
    expect(heldVelocity(live(holds, [velocity({ caller: PAGE }, 1_000)]))).toMatchObject({ mine: false, who: 'this page' });
  });

  it('a velocity without a record of its call is still shown, and nothing is shown without a velocity', () => {
    expect(heldVelocity(live(holds))).toMatchObject({ mine: false, who: null, sinceMs: null });
    expect(heldVelocity(live(rcwState(), [velocity({}, 1_000)]))).toBeNull();
  });

  it('a velocity that only the robot’s state reports belongs to the driver, who alone may command since the lease', () => {
    const driver = { identity: 'x', name: 'agentX', kind: 'agent' as const, since_ms: 2_000, asked_by: [] };
    const driven = { ...holds, robot: { ...holds.robot, extra: { ...holds.robot.extra, driver } } };
    const unreported = (atMs: number) => ({
      ...velocity({ caller: { kind: 'robot', what: 'the other caller' } }, atMs),
      result: { status: 'done' as const, meta: { action_id: 'b', started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 } },
    });
    const seen = (runtime: RuntimeState, atMs: number) => ({ ...live(runtime, [unreported(atMs)]), visit: VISIT });
    expect(heldVelocity(seen(driven, 3_000))).toMatchObject({ mine: false, who: 'the agent agentX', sinceMs: 3_000 });
    expect(heldVelocity(seen(driven, 1_000))).toMatchObject({ who: 'the other caller', sinceMs: 1_000 });
    expect(heldVelocity(seen(holds, 3_000))).toMatchObject({ who: 'the other caller' });
  });

  it('a cockpit that wants a velocity, stops the robot or releases it attends to a velocity; otherwise people are warned', () => {
    const still = { vx: 0, vy: 0, wz: 0 };
    const doing = { arms: 'off', wanted: still, lettingGo: false };
    const held = (mine: boolean) => ({ mine, who: 'sorter', sinceMs: 0, command: { vx: 0.3, vy: 0, wz: 0 } });
    expect(isUnattended(held(true), doing)).toBe(true);
    expect(isUnattended(held(true), { ...doing, arms: 'on' })).toBe(true);
    for (const attends of [{ wanted: { ...still, wz: 0.2 } }, { lettingGo: true }, { arms: 'entering' }]) {
      expect(isUnattended(held(true), { ...doing, ...attends })).toBe(false);
      expect(isUnattended(held(false), { ...doing, ...attends })).toBe(true);
    }
    expect(isUnattended(null, doing)).toBe(false);
  });

  it('finds a stop or velocity of another caller since a moment, not the cockpit’s own', () => {
    const own = velocity({ caller: OWN_HAND, name: 'stop' }, 900);
    expect(othersCommandSince(live(holds, [own, velocity({}, 800)]), 700)).toEqual({
      who: 'sorter',
      name: 'set_velocity',
      atMs: 800,
    });
    expect(othersCommandSince(live(holds, [own, velocity({}, 800)]), 800)).toBeNull();
  });

  it.each(['viewer', 'page', 'this page', 'cockpit/x'])(
    '%s is a name that any participant may have, so its velocity still causes a warning',
    (identity) => {
      const caller = unsignedCaller(identity);
      const theirs = velocity({ caller, actionId: 'cockpit/x' }, 1_000);
      const held = heldVelocity(live(holds, [theirs]));
      expect(held).toMatchObject({ mine: false });
      expect(held?.who).not.toBe('this page');
      const wanted = { vx: 0.1, vy: 0, wz: 0 };
      expect(isUnattended(held, { arms: 'off', wanted, lettingGo: false })).toBe(true);
      expect(othersCommandSince(live(holds, [theirs]), 0)).not.toBeNull();
      const session = actionView({ name: 'set_upper_body', status: 'running', result: null, caller });
      expect(othersSession(live(holds, [session]), true)).not.toBeNull();
    },
  );

  it('finds a pose stream of another caller', () => {
    const session = actionView({ name: 'set_upper_body', status: 'running', result: null, startedAtMs: 100 });
    expect(othersSession(live(holds, [session]), false)).toMatchObject({ who: 'sorter', sinceMs: 100 });
    expect(othersSession(live(holds, [{ ...session, caller: PAGE }]), true)).toBeNull();
    expect(othersSession(live(holds, [{ ...session, caller: PAGE }]), false)).toMatchObject({ who: 'this page' });
  });
});

describe('the watchdog', () => {
  it('shows the age of the last pose, and warns clearly when the arms are limp', () => {
    const upper = (change: Partial<ReturnType<typeof controlState>['upper_body']>) =>
      watchdogText(controlState({ upper_body: change }).upper_body);
    expect(upper({})).toMatchObject({ text: 'off' });
    expect(upper({ mode: 'trajectory', packet_age_ms: 12 })).toMatchObject({ text: '12 of 200 ms', tone: 'good' });
    expect(upper({ mode: 'trajectory', packet_age_ms: 140 })).toMatchObject({ tone: 'warn' });
    expect(upper({ mode: 'damp', timeouts: 2 })).toMatchObject({ text: 'ARMS LIMP', tone: 'bad' });
    expect(upper({ mode: 'damp', timeouts: 2 }).title).toContain('2 times');
  });
});

describe('the controls of the page', () => {
  it('the page offers only what this robot has', () => {
    const worker = { profile: 'worker' as const };
    expect(['go_to', 'pick_entity', 'place_entity', 'look_at', 'set_head'].some((name) => hasSkill(worker, name))).toBe(false);
    expect(hasSkill(worker, 'set_upper_body')).toBe(true);
    expect(hasSkill({ profile: 'simulator' }, 'go_to')).toBe(true);
  });

  it('the page offers a form of five numbers per arm, named in the order of the contract', () => {
    const { form } = skillCallable(rcwSkillDescriptor('set_upper_body'), rcwSkillSpecOf('set_upper_body'));
    if (form.kind !== 'object') throw new Error('no form');
    const [right] = form.fields;
    expect(form.fields.map(({ label }) => label)).toEqual(['Right arm', 'Left arm']);
    expect(right?.kind === 'tuple' && right.items.map(({ label }) => label)).toEqual([
      'Shoulder pitch',
      'Shoulder roll',
      'Shoulder yaw',
      'Elbow',
      'Wrist yaw',
    ]);
    const pose = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
    expect(filledValue(form, draftOf(form, pose))).toEqual(pose);
  });
});
