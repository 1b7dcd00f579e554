import { describe, expect, it } from 'vitest';
import type { ActionEvent, ActionResult, InvokeOptions } from '../../src/client/index.ts';
import { RcwRuntimeError } from '../../src/client/index.ts';
import { actionIdOf, doneReply, FakeRoom } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

const circular: Record<string, unknown> = {};
circular.self = circular;
const unready = {
  toJSON() {
    throw new Error('the array is not computed yet');
  },
};

/** Calls as a program without types makes them: what is wrong, skill, parameters, options, and the sentence. */
const WRONG_CALLS: [string, unknown, unknown, Record<string, unknown>, string][] = [
  ['an action id that is a number', 'walk', {}, { actionId: 5 }, 'actionId is a number and must be a string'],
  ['an action id that is not a number', 'walk', {}, { actionId: Number.NaN }, 'actionId is a number and must be a string'],
  ['an action id that is a bigint', 'walk', {}, { actionId: 5n }, 'actionId is a bigint and must be a string'],
  ['an action id that is an object', 'walk', {}, { actionId: {} }, 'actionId is an object and must be a string'],
  ['an action id that is a symbol', 'walk', {}, { actionId: Symbol('x') }, 'actionId is a symbol and must be a string'],
  ['an empty action id', 'walk', {}, { actionId: '' }, 'actionId is empty and must be a string'],
  ['a skill that is a number', 5, {}, {}, 'The name of the skill is a number and must be a string'],
  ['a skill that is missing', undefined, {}, {}, 'The name of the skill is undefined and must be a string'],
  ['a skill that is a symbol', Symbol('x'), {}, {}, 'The name of the skill is a symbol and must be a string'],
  ['a JSON text as parameters', 'walk', '{"vx":1}', {}, 'The input of walk is a JSON text'],
  ['a number that is not one', 'walk', { vx: Number.NaN }, {}, 'vx is NaN'],
  ['a bigint', 'walk', { vx: 1n }, {}, 'cannot be turned into JSON (Do not know how to serialize a BigInt)'],
  ['an object that contains itself', 'walk', circular, {}, 'cannot be turned into JSON (Converting circular structure to JSON)'],
  ['an object that cannot be read', 'walk', { unready }, {}, 'the array is not computed yet'],
  ['a deadline that is not a number', 'walk', {}, { deadlineS: Number.NaN }, 'deadline_s is NaN'],
  ['a timeout that is not a number', 'walk', {}, { timeoutMs: Number.NaN }, 'timeoutMs is NaN; pass milliseconds above 0'],
  ['a timeout of 0 ms', 'walk', {}, { timeoutMs: 0 }, 'timeoutMs is 0; pass milliseconds above 0'],
  ['a timeout that is a text', 'walk', {}, { timeoutMs: '5' }, 'timeoutMs is a string; pass milliseconds above 0'],
];

describe('a wrong argument', () => {
  it.each(WRONG_CALLS)(
    'a wrong argument makes tryInvoke return INVALID_INPUT and send nothing: %s',
    async (_, skill, params, options, says) => {
      const room = new FakeRoom((call) => ({ reply: doneReply(actionIdOf(call)) }));
      const { session } = await fakeSession(room);
      const result = await session.tryInvoke(skill as string, params as never, options as InvokeOptions);
      expect(result).toMatchObject({
        status: 'failed',
        error: { code: 'INVALID_INPUT', message: expect.stringContaining(says), details: { attempted: false } },
        action_id: expect.stringMatching(/./),
      });
      expect(result.meta.action_id).toBe(result.action_id);
      expect(room.calls).toHaveLength(0);
    },
  );

  it('a wrong argument is reported to the callbacks under a new action id when the given id is wrong', async () => {
    const reported: (ActionResult | ActionEvent)[] = [];
    const report = (one: ActionResult | ActionEvent) => void reported.push(one);
    const callbacks = { onActionResult: report, onActionEvent: report };
    const { session } = await fakeSession(new FakeRoom(() => 'silence'), { callbacks, returnRefusals: true });
    const result = await session.invoke('walk' as string, {}, { actionId: 5 } as never);
    expect(reported).toHaveLength(2);
    for (const { action_id } of reported) expect(action_id).toMatch(/^act-/);
    expect(reported[1]).toBe(result);
  });

  it('a wrong argument makes invoke throw what the runtime would report', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session } = await fakeSession(room);
    await expect(session.invoke('walk' as string, {}, { actionId: 5 } as never)).rejects.toBeInstanceOf(RcwRuntimeError);
    await expect(session.invoke('walk' as string, {}, { timeoutMs: Number.NaN })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(session.call('runtime.manifest', 1n)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(session.call('runtime.manifest', Symbol('x'))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(room.calls).toHaveLength(0);
  });

  it('each read rejects a timeout that is not above 0', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session } = await fakeSession(room);
    for (const timeoutMs of [Number.NaN, 0, -1]) {
      const calls = [
        () => session.scene({}, { timeoutMs }),
        () => session.getAction('a', { timeoutMs }),
        () => session.cancelAction('a', { timeoutMs }),
        () => session.getVision('pov', { timeoutMs }),
        () => session.discoverSkills({ timeoutMs }),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(`timeoutMs is ${timeoutMs}; pass milliseconds above 0.`);
    }
    expect(room.calls).toHaveLength(0);
  });

  it.each([Number.NaN, 0, -1])('a wrong argument does not prevent an emergency stop: a timeout of %d ms', async (timeoutMs) => {
    const latch = { by: 'ann', since_ms: 1, reason: 'smoke' };
    const stands = { emergency_stop: latch, stands: true, after_ms: 300, held_entity_ids: [] };
    const room = new FakeRoom(() => ({ reply: doneReply('press', stands) }));
    const { session } = await fakeSession(room);
    await session.call('runtime.emergency_stop', {}, { timeoutMs });
    expect(room.of('runtime.emergency_stop')).toHaveLength(1);
    expect(await session.emergencyStop({ timeoutMs })).toMatchObject({ by: 'room' });
    expect(room.of('runtime.emergency_stop')).toHaveLength(2);
  });
});
