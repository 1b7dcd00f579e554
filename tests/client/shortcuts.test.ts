import { describe, expect, it } from 'vitest';
import { PlatformSDKError, type PlatformSession, RcwRuntimeError } from '../../src/client/index.ts';
import { actionIdOf, doneReply, FakeRoom, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

type Run = (session: PlatformSession) => Promise<unknown>;
const entity = (entity_id: string) => ({ target: { kind: 'entity', entity_id } });
const pose = (position: number[], rest = {}) => ({ target: { kind: 'pose', pose: { position, ...rest } } });

/** Each call, and the skill and input that go to the robot. */
const CALLS: Record<string, [run: Run, skill: string, input: unknown]> = {
  "goTo('pad_B')": [(session) => session.goTo('pad_B'), 'go_to', entity('pad_B')],
  'goTo with a tolerance': [
    (session) => session.goTo('pad_B', { tolerance_m: 0.1 }),
    'go_to',
    { ...entity('pad_B'), tolerance_m: 0.1 },
  ],
  'goTo of a place': [(session) => session.goTo({ x: 1, y: -2, yaw_deg: 90 }), 'go_to', pose([1, -2, 0], { yaw_deg: 90 })],
  "pick('cube_0')": [(session) => session.pick('cube_0'), 'pick_entity', entity('cube_0')],
  "place({ on: 'pad_B' })": [(session) => session.place({ on: 'pad_B' }), 'place_entity', entity('pad_B')],
  'place in a slot': [
    (session) => session.place({ on: 'pad_B', slot: 2 }),
    'place_entity',
    { target: { kind: 'slot', pad_id: 'pad_B', index: 2 } },
  ],
  'place at a place': [(session) => session.place({ at: { x: 1, y: 0, z: 0.075 } }), 'place_entity', pose([1, 0, 0.075])],
  'place()': [(session) => session.place(), 'place_entity', {}],
  'drive()': [(session) => session.drive({ vx: 0.3, duration_s: 2 }), 'set_velocity', { vx: 0.3, duration_s: 2 }],
  'setHead()': [(session) => session.setHead({ pitch: 0.4 }), 'set_head', { pitch: 0.4 }],
  'lookAt of a place': [(session) => session.lookAt({ x: 1, y: 2, z: 0.5 }), 'look_at', pose([1, 2, 0.5])],
};

/** A session as a program without types sees it. */
type Untyped = Record<
  'place' | 'goTo' | 'lookAt' | 'pick' | 'drive' | 'setHead' | 'invoke',
  (...args: unknown[]) => Promise<unknown>
>;
const PAD = { pad_id: 'pad_B', position: [1, 2, 0] };
/** Calls as such a program makes them, and the words of their rejection. */
const WRONG_CALLS: [name: string, call: (session: Untyped) => Promise<unknown>, says: string][] = [
  ['two targets', (session) => session.place({ on: 'pad_B', at: { x: 0, y: 0 } }), 'Pass one of them.'],
  ['a slot without a pad', (session) => session.place({ slot: 0 }), 'Pass the id of the pad as "on".'],
  [
    'a pad in place of options',
    (session) => session.place('pad_D'),
    'are a string and must be an object. Write place({ on: "pad_D" }).',
  ],
  [
    'a velocity in place of options',
    (session) => session.drive(0.3),
    'are a number and must be an object. Write drive({ vx: 0.3 }).',
  ],
  [
    'options that are null',
    (session) => session.setHead(null),
    'The options are null and must be an object. Write setHead({ yaw: … }).',
  ],
  ['options that are a list', (session) => session.pick('cube_0', [1]), 'The options are an array and must be an object.'],
  [
    'options of invoke that are null',
    (session) => session.invoke('walk', {}, null),
    'Write invoke(skill, params, { timeoutMs: … }).',
  ],
  ['a target that is a pad', (session) => session.goTo(PAD), 'this one has pad_id, position. Pass the id of a thing'],
  ['a target that is undefined', (session) => session.goTo(undefined), 'target is undefined. Pass the id of a thing'],
  ['a target that is null', (session) => session.lookAt(null), 'target is null.'],
  ['a target that is a number', (session) => session.goTo(5), 'target is a number.'],
  [
    'a target that is a list',
    (session) => session.goTo([1, 2]),
    "target is an array. Pass the id of a thing, such as 'cube_0', or a place",
  ],
  ['a place without y', (session) => session.goTo({ x: 1, y: undefined }), 'this one has x.'],
  ['a place with an unknown field', (session) => session.lookAt({ x: 1, y: 2, yaw: 0.3 }), 'this one has x, y, yaw.'],
  ['a place as a target to pick', (session) => session.pick({ x: 1, y: 2 }), 'target is an object. Pass the id of a thing'],
  ['a pad that is a number', (session) => session.place({ on: 5 }), 'on is a number. Pass the id of a thing'],
  ['a place to place at that is a list', (session) => session.place({ at: [1, 2] }), 'at is an array. Pass a place, such as'],
  ['a timeout of 0 ms', (session) => session.pick('cube_0', { timeoutMs: 0 }), 'timeoutMs is 0; pass milliseconds above 0.'],
];

describe('the methods that are named after skills', () => {
  it.each(Object.entries(CALLS))('%s sends the skill with its input', async (_, [run, skill, input]) => {
    const room = new FakeRoom((call) => ({ reply: doneReply(actionIdOf(call), { arrived: true }) }));
    const { session } = await fakeSession(room);
    expect(await run(session)).toMatchObject({ status: 'done', result: { arrived: true } });
    expect(room.calls.map(({ payload }) => payload)).toEqual([
      { name: skill, input, options: { action_id: expect.any(String) } },
    ]);
  });

  it('the methods named after skills accept the options of invoke, and return rejections if the session does', async () => {
    const room = new FakeRoom(() => ({ reply: guardReply('UNKNOWN_ENTITY', 'There is no pad_Z.') }));
    const { session } = await fakeSession(room, { returnRefusals: true });
    const refused = await session.goTo('pad_Z', { actionId: 'mine', deadlineS: 9, tolerance_m: 0.2 });
    expect(refused).toMatchObject({ status: 'failed', action_id: 'mine', error: { code: 'UNKNOWN_ENTITY' } });
    expect(room.calls[0]?.payload).toMatchObject({ options: { action_id: 'mine', deadline_s: 9 }, input: { tolerance_m: 0.2 } });
  });

  it.each(WRONG_CALLS)(
    'the methods named after skills reject a wrong argument unsent, with a correct example: %s',
    async (_, call, says) => {
      const room = new FakeRoom(() => 'silence');
      const { session } = await fakeSession(room);
      const refused = { code: 'INVALID_INPUT', runtimeMessage: expect.stringContaining(says), details: { attempted: false } };
      await expect(call(session as never)).rejects.toBeInstanceOf(RcwRuntimeError);
      await expect(call(session as never)).rejects.toMatchObject(refused);
      expect(room.calls).toEqual([]);
    },
  );

  it.each(WRONG_CALLS)(
    'the methods named after skills return the rejection of a wrong argument if the session does: %s',
    async (_, call, says) => {
      const room = new FakeRoom(() => 'silence');
      const reported: unknown[] = [];
      const callbacks = { onActionResult: (result: unknown) => void reported.push(result) };
      const { session } = await fakeSession(room, { returnRefusals: true, callbacks });
      const refused = await call(session as never);
      expect(refused).toMatchObject({
        status: 'failed',
        error: { code: 'INVALID_INPUT', message: expect.stringContaining(says) },
      });
      expect(reported).toEqual([refused]);
      expect(room.calls).toEqual([]);
    },
  );

  it('drive sends nothing to a robot of the physical contract, which would never stop driving', async () => {
    const room = new FakeRoom(() => 'silence');
    room.present = ['rcw-r1'];
    const { session } = await fakeSession(room, { rcwIdentityPrefix: 'rcw' });
    const driven = session.drive({ vx: 0.2, duration_s: 1 });
    await expect(driven).rejects.toBeInstanceOf(PlatformSDKError);
    await expect(driven).rejects.toThrow("This robot keeps the physical robot's contract");
    expect(room.calls).toEqual([]);
  });
});
