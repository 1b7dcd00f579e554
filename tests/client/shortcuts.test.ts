import { describe, expect, it } from 'vitest';
import { PlatformSDKError, type PlatformSession } from '../../src/client/index.ts';
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

describe('the methods that are named after skills', () => {
  it.each(Object.entries(CALLS))('%s sends the skill with its input', async (_, [run, skill, input]) => {
    const room = new FakeRoom((call) => ({ reply: doneReply(actionIdOf(call), { arrived: true }) }));
    const { session } = await fakeSession(room);
    expect(await run(session)).toMatchObject({ status: 'done', result: { arrived: true } });
    expect(room.calls.map(({ payload }) => payload)).toEqual([
      { name: skill, input, options: { action_id: expect.any(String) } },
    ]);
  });

  it('take the options of invoke, and return refusals where the session does', async () => {
    const room = new FakeRoom(() => ({ reply: guardReply('UNKNOWN_ENTITY', 'There is no pad_Z.') }));
    const { session } = await fakeSession(room, { returnRefusals: true });
    const refused = await session.goTo('pad_Z', { actionId: 'mine', deadlineS: 9, tolerance_m: 0.2 });
    expect(refused).toMatchObject({ status: 'failed', action_id: 'mine', error: { code: 'UNKNOWN_ENTITY' } });
    expect(room.calls[0]?.payload).toMatchObject({ options: { action_id: 'mine', deadline_s: 9 }, input: { tolerance_m: 0.2 } });
  });

  it('place refuses two targets, and a slot of no pad, unsent', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session } = await fakeSession(room);
    await expect(session.place({ on: 'pad_B', at: { x: 0, y: 0 } })).rejects.toThrow('Pass one of them.');
    await expect(session.place({ slot: 1 })).rejects.toThrow('Pass the id of the pad as "on".');
    expect(room.calls).toEqual([]);
  });

  it('drive sends nothing to a robot of the physical contract, which would drive on for ever', async () => {
    const room = new FakeRoom(() => 'silence');
    room.present = ['rcw-r1'];
    const { session } = await fakeSession(room, { rcwIdentityPrefix: 'rcw' });
    const driven = session.drive({ vx: 0.2, duration_s: 1 });
    await expect(driven).rejects.toBeInstanceOf(PlatformSDKError);
    await expect(driven).rejects.toThrow("This robot keeps the physical robot's contract");
    expect(room.calls).toEqual([]);
  });
});
