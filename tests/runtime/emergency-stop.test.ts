import { describe, expect, it } from 'vitest';
import { PAGE } from '../../src/protocol/wire/caller.ts';
import { EMERGENCY_REASON_MAX_CHARS } from '../../src/protocol/wire/emergency-stop.ts';
import { STOP_WITHIN_S, STOPPED_ANGULAR_RPS, STOPPED_LINEAR_MPS } from '../../src/protocol/wire/limits.ts';
import { SKILL_NAMES } from '../../src/protocol/wire/skills.ts';
import { robotTruth } from './oracle.ts';
import { control, createRcw, REACHING } from './rcw/rcw-runtime.ts';
import { createTestRuntime, entity, type Reply, startAt, type TestRuntime } from './test-runtime.ts';

const METHOD = 'runtime.emergency_stop';
const SERVICE = { kind: 'service', name: 'over HTTP' } as const;
/** The content of the answer to a press. */
const saidOf = (reply: Reply) => reply.result ?? reply.error.details;
const stopOf = (t: TestRuntime) => t.read('runtime.state').robot.extra.emergency_stop;

/** Every skill of the simulator that takes time or changes something, with its preparation and its call. */
const SKILLS: readonly [name: string, input: unknown, before: readonly (readonly [string, unknown])[]][] = [
  ['set_velocity', { vx: 1.5, duration_s: 60 }, []],
  ['set_velocity', { vx: -1, wz: -1.5, duration_s: 60 }, []],
  ['go_to', entity('pad_C'), []],
  ['pick_entity', entity('cube_0'), [['go_to', entity('cube_0')]]],
  [
    'place_entity',
    entity('pad_D'),
    [
      ['pick_entity', entity('cube')],
      ['go_to', entity('pad_D')],
    ],
  ],
  ['look_at', entity('pad_A'), []],
  ['set_head', { yaw: 1, pitch: 0.4 }, []],
  ['cancel', {}, []],
];
const AFTER_STEPS = [0, 1, 7, 40, 90, 150, 240];

describe('the emergency stop of the simulator’s contract', () => {
  it.each(SKILLS)(
    'the emergency stop ends %s %j in every phase, and reports who pressed and why',
    async (name, input, before) => {
      const t = await createTestRuntime({ seed: 1 });
      for (const [skill, asked] of before) expect(t.invoke(skill, asked)).toMatchObject({ status: 'done' });
      const kept = t.runtime.keep();
      if (kept === null) throw new Error('nothing was kept');
      for (const steps of AFTER_STEPS) {
        t.runtime.releaseEmergencyStop(t.nowMs);
        expect(t.runtime.restore(structuredClone(kept), t.nowMs).ok).toBe(true);
        const call = t.start(name, input);
        for (let step = 0; step < steps && call.replies === 0; step += 1) t.advance();
        const ranUntilThen = call.replies === 0;
        const held = t.read('runtime.state').robot.held_entity_ids;
        const pressedAt = t.core.world.step;
        const answer = saidOf(t.finish(t.send(METHOD, { reason: 'smoke' }, 'ann')));
        expect((t.core.world.step - pressedAt) / 120, `${steps} steps`).toBeLessThanOrEqual(STOP_WITHIN_S + 3 / 120);
        expect(answer).toMatchObject({ stands: true, held_entity_ids: held, emergency_stop: { by: 'ann', reason: 'smoke' } });
        const { linearMps, angularRps } = robotTruth(t.core);
        expect(linearMps).toBeLessThan(STOPPED_LINEAR_MPS);
        expect(angularRps).toBeLessThan(STOPPED_ANGULAR_RPS);
        if (ranUntilThen)
          expect(t.finish(call).error).toMatchObject({
            code: 'NOT_READY',
            message: expect.stringContaining('(by ann: smoke)'),
            details: { emergency_stop: true, latched_by: 'ann', latched_reason: 'smoke' },
          });
        // It stays still: nothing was left in motion.
        const there = robotTruth(t.core).position;
        t.advance(120);
        const later = robotTruth(t.core).position;
        expect(Math.hypot(later[0] - there[0], later[1] - there[1])).toBeLessThan(0.01);
        expect(t.read('runtime.state').robot.held_entity_ids).toEqual(held);
      }
    },
  );

  it('the emergency stop rejects every skill while it is latched; reads and pictures continue', async () => {
    const t = await createTestRuntime();
    t.finish(t.send(METHOD, {}, 'ann'));
    const inputs: Record<string, unknown> = {
      set_velocity: { vx: 0.2, duration_s: 1 },
      go_to: entity('pad_C'),
      pick_entity: entity('cube'),
      place_entity: entity('pad_C'),
      look_at: entity('pad_C'),
      set_head: { yaw: 0.1 },
      configure_benchmark: { benchmark: { enabled: true } },
      set_color_mode: { mode: 'plain' },
      set_sim_speed: { speed: 2 },
      select_scene: { scene_id: 'hall' },
    };
    for (const name of SKILL_NAMES)
      expect([name, t.start(name, inputs[name] ?? {}).reply?.error?.code]).toEqual([name, 'NOT_READY']);
    for (const method of [
      'runtime.tools_list',
      'runtime.scene_state',
      'runtime.scene_layout',
      'runtime.capabilities',
      'runtime.action',
    ])
      expect(t.read(method).status, method).not.toBe('failed');
    expect(t.read('runtime.state')).toMatchObject({
      runtime: { status: 'error', accepts_tool_calls: false, accepts_capture_requests: true },
      robot: { status: 'error', extra: { emergency_stop: { by: 'ann', reason: null } } },
    });
    t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } });
    expect(t.jobs).toHaveLength(1);
  });

  it('the emergency stop is released only by a person, not by calls or by a hundred further presses', async () => {
    const t = await createTestRuntime();
    t.finish(t.send(METHOD, { reason: 'first' }, 'ann'));
    const first = stopOf(t);
    for (const name of ['reset', 'cancel', 'select_scene']) t.start(name, name === 'select_scene' ? { scene_id: 'hall' } : {});
    t.send('runtime.cancel', {});
    t.runtime.cancelActive(t.nowMs, PAGE);
    t.runtime.noteSuspended(5_000, t.nowMs);
    for (let press = 0; press < 100; press += 1) t.send(METHOD, { reason: `again ${press}` }, `ben-${press}`);
    t.advance(10);
    expect(stopOf(t)).toEqual(first);
    t.runtime.releaseEmergencyStop(t.nowMs);
    expect(stopOf(t)).toBeNull();
    expect(t.read('runtime.state')).toMatchObject({
      runtime: { status: 'ready', accepts_tool_calls: true },
      robot: { extra: { emergency_release: { at_ms: expect.any(Number), press_ids: [] } } },
    });
    expect(t.invoke('set_velocity', { vx: 0.2, duration_s: 0.5 }).status).toBe('done');
  });

  it('the emergency stop continues in a kept world, and an earlier latch stays in a world that was kept without one', async () => {
    const t = await createTestRuntime();
    const free = t.runtime.keep();
    t.finish(t.send(METHOD, { reason: 'smoke' }, 'ann'));
    const latched = t.runtime.keep();
    const other = await createTestRuntime();
    if (!latched || !free) throw new Error('nothing was kept');
    expect(other.runtime.restore(structuredClone(latched), other.nowMs).ok).toBe(true);
    expect(stopOf(other)).toEqual(stopOf(t));
    expect(other.start('go_to', entity('pad_C')).reply.error.code).toBe('NOT_READY');
    expect(t.runtime.restore(structuredClone(free), t.nowMs).ok).toBe(true);
    expect(stopOf(t)).toMatchObject({ by: 'ann' });
  });

  it('a press on a broken body is answered, and stays latched after every further call', async () => {
    const t = await createTestRuntime();
    t.core.world.physics.physicsPipeline.raw.step = () => {
      throw new Error('broken');
    };
    const waiting = t.start('set_velocity', { vx: 1, duration_s: 5 });
    const pressed = t.send(METHOD, {}, 'ann');
    t.advance();
    expect(waiting.reply.error.code).toBe('NOT_READY');
    expect(saidOf(pressed.reply)).toMatchObject({ stands: true });
    expect(saidOf(t.send(METHOD, {}, 'ben').reply)).toMatchObject({ stands: true, emergency_stop: { by: 'ann' } });
    expect(t.start('reset').reply.error.code).toBe('NOT_READY');
  });
});

describe('the request of an emergency stop', () => {
  it.each([
    ['', null],
    ['{}', null],
    ['[1]', null],
    ['7', null],
    ['{"reason": 7}', null],
    ['{"reason": "   "}', null],
    ['{"reason": null, "other": {}}', null],
    [JSON.stringify({ reason: 'a'.repeat(5_000), press_id: 7 }), 'a'.repeat(EMERGENCY_REASON_MAX_CHARS)],
    [JSON.stringify({ reason: '🛑'.repeat(900) }), '🛑'.repeat(EMERGENCY_REASON_MAX_CHARS)],
  ])('a request of %j presses the stop, because no fault in it may prevent a stop', async (payload, reason) => {
    const t = await createTestRuntime();
    t.start('set_velocity', { vx: 1, duration_s: 60 });
    t.advance(60);
    expect(saidOf(t.finish(t.sendText(METHOD, payload)))).toMatchObject({
      stands: true,
      emergency_stop: { by: 'agent', reason },
    });
  });

  it('a press is answered in time if the robot cannot stand still, and the answer reports it', async () => {
    const t = await createTestRuntime();
    const { rigidBody } = t.core.world.base;
    const call = t.send(METHOD);
    const pushed = t.send(METHOD);
    expect(saidOf(call.reply)).toMatchObject({ stands: true });
    rigidBody.setLinvel({ x: 1, y: 0, z: 0 }, true);
    t.advance();
    const late = t.send(METHOD);
    expect(pushed.replies).toBe(1);
    for (let step = 0; step < 120 * 6 && late.replies === 0; step += 1) {
      // Pushed to and fro, so that no wall ends the motion.
      rigidBody.setLinvel({ x: step % 2 === 0 ? 1 : -1, y: 0, z: 0 }, true);
      t.advance();
    }
    expect(late.reply).toMatchObject({ status: 'failed', error: { code: 'NOT_AT_GOAL' } });
    expect(saidOf(late.reply)).toMatchObject({ stands: false, after_ms: expect.any(Number) });
  });

  it('a thousand presses at once are answered once each', async () => {
    const t = await startAt(0.3, 3.2, 180);
    t.start('set_velocity', { vx: 1.5, duration_s: 60 });
    t.advance(120);
    const calls = Array.from({ length: 1_000 }, (_, press) => t.send(METHOD, {}, `agent-${press % 10}`));
    t.advance(120);
    expect(calls.every(({ replies }) => replies === 1)).toBe(true);
    expect(saidOf(calls[0]?.reply)).toMatchObject({ stands: true, emergency_stop: { by: 'agent-0' } });
  });
});

describe('a press of the control service', () => {
  it('a press that a person has released does not latch again, however late it arrives; the next one does', async () => {
    const t = await createTestRuntime();
    t.runtime.emergencyStop(t.nowMs, SERVICE, { reason: 'gas', pressId: 'p-1' });
    t.runtime.emergencyStop(t.nowMs, SERVICE, { reason: 'gas', pressId: 'p-2' });
    expect(stopOf(t)).toMatchObject({ by: 'over HTTP', reason: 'gas' });
    t.runtime.releaseEmergencyStop(t.nowMs);
    t.runtime.emergencyStop(t.nowMs, SERVICE, { pressId: 'p-1' });
    expect(stopOf(t)).toBeNull();
    expect(t.read('runtime.state').robot.extra.emergency_release.press_ids).toEqual(['p-1', 'p-2']);
    const kept = t.runtime.keep();
    const other = await createTestRuntime();
    if (!kept) throw new Error('nothing was kept');
    other.runtime.restore(structuredClone(kept), other.nowMs);
    other.runtime.emergencyStop(other.nowMs, SERVICE, { pressId: 'p-2' });
    expect(stopOf(other)).toBeNull();
    other.runtime.emergencyStop(other.nowMs, SERVICE, { pressId: 'p-3' });
    expect(stopOf(other)).toMatchObject({ by: 'over HTTP' });
  });
});

describe('the name of a presser', () => {
  const room = (t: TestRuntime, pressId: string) =>
    t.runtime.emergencyStop(t.nowMs, { kind: 'service', name: 'ada’s page' }, { reason: 'gas', pressId });
  /** The SFU delivers a call of the service under a name that it makes up. */
  const bySfu = (t: TestRuntime, payload: object) => t.send(METHOD, { reason: 'gas', ...payload }, 'e5c4a4e4');

  it('the room’s name replaces the name that the SFU makes up, whichever comes first, and keeps the time', async () => {
    for (const order of [[bySfu, room] as const, [room, bySfu] as const]) {
      const t = await createTestRuntime();
      const report = (way: typeof room | typeof bySfu) => (way === room ? room(t, 'p-1') : bySfu(t, { press_id: 'p-1' }));
      report(order[0]);
      const { since_ms: sinceMs } = stopOf(t);
      t.advance(5);
      report(order[1]);
      expect(stopOf(t)).toEqual({ by: 'ada’s page', since_ms: sinceMs, reason: 'gas' });
      expect(t.invoke('set_head', { yaw: 0.1 }).error.details).toMatchObject({ latched_by: 'ada’s page' });
    }
  });

  it('the room’s name replaces the name of a signed call too', async () => {
    const t = await createRcw(true);
    t.sendText(METHOD, '{"press_id":"p-1"}', 'postman', { holder: 'control-service', grantId: 'g-1' });
    room(t, 'p-1');
    expect(stopOf(t)).toMatchObject({ by: 'ada’s page' });
  });

  it('the room’s name does not hide a caller that presses first under the name of the service', async () => {
    const t = await createTestRuntime();
    t.send(METHOD, { press_id: 'guessed' }, 'ann');
    bySfu(t, { press_id: 'p-1' });
    room(t, 'p-1');
    expect(stopOf(t)).toMatchObject({ by: 'ann' });
  });

  it('the room’s name does not replace another presser, nor one that latched after a release', async () => {
    const t = await createTestRuntime();
    t.send(METHOD, {}, 'ann');
    bySfu(t, { press_id: 'p-1' });
    room(t, 'p-1');
    expect(stopOf(t)).toMatchObject({ by: 'ann' });
    t.runtime.releaseEmergencyStop(t.nowMs);
    bySfu(t, { press_id: 'p-2' });
    t.runtime.releaseEmergencyStop(t.nowMs);
    t.send(METHOD, {}, 'ann');
    room(t, 'p-2');
    expect(stopOf(t)).toMatchObject({ by: 'ann' });
  });
});

describe('the id of a press', () => {
  it('a press id from a caller other than the service has no effect: it neither hides nor displaces presses of the service', async () => {
    const t = await createTestRuntime();
    t.runtime.emergencyStop(t.nowMs, SERVICE, { pressId: 'p-1' });
    for (let press = 0; press < 100; press += 1) t.send(METHOD, { press_id: `forged-${press}` }, 'ann');
    t.runtime.releaseEmergencyStop(t.nowMs);
    expect(t.read('runtime.state').robot.extra.emergency_release.press_ids).toEqual(['p-1']);
    t.send(METHOD, { press_id: 'p-1' }, 'ann');
    expect(stopOf(t)).toMatchObject({ by: 'ann' });
  });

  it('a press id in a signed call is that of the service', async () => {
    const t = await createRcw(true);
    const signed = { holder: 'control-service', grantId: 'g-1' };
    t.finish(t.sendText(METHOD, '{"press_id":"p-1"}', 'postman', signed));
    t.runtime.releaseEmergencyStop(t.nowMs);
    t.sendText(METHOD, '{"press_id":"p-1"}', 'postman', signed);
    expect(stopOf(t)).toBeNull();
  });
});

describe('the emergency stop of the worker’s contract, by a call', () => {
  it('a call to the worker brakes from full speed and lets the arms go limp; it rejects every skill of the body, but not reads', async () => {
    const t = await createRcw();
    t.start('set_velocity', { vx: 1.5, vy: 0, vyaw: 0 });
    t.advance(240);
    const pressedAt = t.core.world.step;
    expect(saidOf(t.finish(t.send(METHOD, { reason: 'smoke' }, 'ann')))).toMatchObject({ stands: true });
    expect((t.core.world.step - pressedAt) / 120).toBeLessThanOrEqual(STOP_WITHIN_S + 3 / 120);
    expect(control(t)).toMatchObject({ emergency_stop: true, velocity_holds: false, upper_body: { mode: 'damp' } });
    expect(stopOf(t)).toMatchObject({ by: 'ann', reason: 'smoke' });
    for (const [name, input] of [
      ['set_velocity', { vx: 0.3, vy: 0, vyaw: 0 }],
      ['stop', {}],
      ['set_upper_body', REACHING],
    ] as const)
      expect(t.start(name, input).reply.error).toMatchObject({ code: 'NOT_READY', details: { latched_by: 'ann' } });
    expect(t.start('get_state').reply.status).toBe('done');
  });

  it('a call to the worker ends a stream of poses and a waiting stop', async () => {
    const t = await createRcw();
    t.start('set_upper_body', REACHING);
    t.advance(5);
    t.finish(t.send(METHOD, {}, 'ann'));
    expect(t.ended.at(-1)).toMatchObject({ name: 'set_upper_body', result: { error: { details: { latched_by: 'ann' } } } });
  });

  it('an unsigned press is rejected with the remedy if control is signed; a signed one is accepted', async () => {
    const t = await createRcw(true);
    const refused = t.send(METHOD, {}, 'stranger').reply.error;
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED', message: expect.stringContaining('/emergency-stop') });
    expect(stopOf(t)).toBeNull();
    const signed = t.sendText(METHOD, '{"reason":"smoke"}', 'postman', { holder: 'ann', grantId: 'g-1' });
    expect(saidOf(t.finish(signed))).toMatchObject({ stands: true, emergency_stop: { by: 'ann', reason: 'smoke' } });
  });
});
