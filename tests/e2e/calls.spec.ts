/** Every malformed call gets its named refusal over the real wire, and the robot works on. */

import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

const tool = (name: string, input: unknown) => ['runtime.tools_call', JSON.stringify({ name, input })] as const;
const capture = (selector: unknown, options: unknown) =>
  ['runtime.cameras_capture', JSON.stringify({ selector, options })] as const;
const entity = (id: string) => ({ target: { kind: 'entity', entity_id: id } });

const MALFORMED: [what: string, code: string, call: readonly [method: string, payload: string]][] = [
  ['not JSON', 'INVALID_INPUT', ['runtime.tools_call', 'pick the cube']],
  ['half a JSON object', 'INVALID_INPUT', ['runtime.tools_call', '{"name": "set_head"']],
  ['NaN', 'INVALID_INPUT', ['runtime.tools_call', '{"name": "set_velocity", "input": {"vx": NaN}}']],
  ['Infinity', 'INVALID_INPUT', ['runtime.tools_call', '{"name": "set_velocity", "input": {"vx": Infinity}}']],
  [
    'a number too large for a double',
    'INVALID_INPUT',
    ['runtime.tools_call', '{"name": "set_velocity", "input": {"vx": 1e999}}'],
  ],
  ['an empty payload', 'INVALID_INPUT', ['runtime.tools_call', '']],
  ['a list instead of an object', 'INVALID_INPUT', ['runtime.tools_call', '[]']],
  ['null', 'INVALID_INPUT', ['runtime.tools_call', 'null']],
  ['a wrong type', 'INVALID_INPUT', tool('set_velocity', { vx: 'fast' })],
  ['an extra field', 'INVALID_INPUT', tool('set_velocity', { vx: 0.1, speed: 1 })],
  ['an extra field of the call', 'INVALID_INPUT', ['runtime.tools_call', '{"name": "set_head", "input": {}, "urgent": true}']],
  ['a missing field', 'INVALID_INPUT', tool('go_to', {})],
  ['a missing field inside the target', 'INVALID_INPUT', tool('go_to', { target: { kind: 'entity' } })],
  ['an unknown kind of target', 'INVALID_INPUT', tool('go_to', { target: { kind: 'star', id: 1 } })],
  ['a negative duration', 'INVALID_INPUT', tool('set_velocity', { duration_s: -1 })],
  ['a huge duration', 'INVALID_INPUT', tool('set_velocity', { duration_s: 1e12 })],
  ['a head angle out of range', 'INVALID_INPUT', tool('set_head', { yaw: 3 })],
  ['a speed of zero', 'INVALID_INPUT', tool('set_sim_speed', { speed: 0 })],
  ['a position of two numbers', 'INVALID_INPUT', tool('go_to', { target: { kind: 'pose', pose: { position: [0, 0] } } })],
  [
    'a frame that is not the world',
    'INVALID_INPUT',
    tool('go_to', { target: { kind: 'pose', pose: { frame_id: 'robot', position: [0, 0, 0] } } }),
  ],
  ['a goal far outside', 'GOAL_OUTSIDE_MAP', tool('go_to', { target: { kind: 'pose', pose: { position: [900, -900, 0] } } })],
  [
    'a goal outside of any world',
    'INVALID_INPUT',
    tool('go_to', { target: { kind: 'pose', pose: { position: [1e9, -1e9, 0] } } }),
  ],
  ['an unknown skill', 'UNKNOWN_SKILL', tool('pick_entty', {})],
  ['a skill named like an object field', 'UNKNOWN_SKILL', tool('constructor', {})],
  ['an unknown entity', 'UNKNOWN_ENTITY', tool('pick_entity', entity('cube_99'))],
  ['an entity named like an object field', 'UNKNOWN_ENTITY', tool('go_to', entity('__proto__'))],
  ['a pad to pick', 'NOT_GRASPABLE', tool('pick_entity', entity('pad_B'))],
  ['empty hands to place', 'HANDS_EMPTY', tool('place_entity', {})],
  ['an unknown camera', 'UNKNOWN_CAMERA', capture({ kind: 'id', id: 'chest' }, {})],
  ['a picture too large', 'INVALID_INPUT', capture({ kind: 'id', id: 'pov' }, { width: 4000 })],
  ['a picture of half pixels', 'INVALID_INPUT', capture({ kind: 'id', id: 'pov' }, { width: 100.5 })],
  ['quality zero', 'INVALID_INPUT', capture({ kind: 'id', id: 'pov' }, { quality: 0 })],
  ['another format', 'INVALID_INPUT', capture({ kind: 'id', id: 'pov' }, { format: 'png' })],
  ['a cancel of nothing', 'ACTION_NOT_FOUND', ['runtime.cancel', '{"options": {"action_id": "cancel-active"}}']],
  ['an unknown result', 'ACTION_NOT_FOUND', ['runtime.action', '{"action_id": "never"}']],
  ['a signed envelope', 'PERMISSION_DENIED', ['runtime.forward_envelope', '{"envelope": "AAAA"}']],
];

test('every malformed call gets its named refusal, an unregistered method LiveKit’s own, and the robot works on', async ({
  robot,
  openHidden,
}) => {
  await openHidden(await robot.keyUrl());
  const caller = await robot.join();
  await caller.ready();
  const before = await caller.call('runtime.state');
  for (const [what, code, [method, payload]] of MALFORMED) {
    await test.step(what, async () => {
      const reply = JSON.parse(await caller.callText(method, payload));
      expect(reply, what).toMatchObject({ status: 'failed', error: { code } });
      expect(reply.error.message, what).toMatch(/^\S.* .*[.]$/s);
      // A call that did not become an action has no meta; a precondition is an action's own failure.
      expect('meta' in reply, what).toBe(!['input', 'control'].includes(reply.error.details.stage));
      expect(reply.error.details, what).toMatchObject({ attempted: false, world_changed: 'no' });
    });
  }
  await expect(caller.callText('runtime.fly', '{}')).rejects.toThrow(/method/i);
  const after = await caller.call('runtime.state');
  expect(after.robot.pose).toEqual(before.robot.pose);
  expect(after.runtime.status).toBe('ready');
  await worksStill(caller);
});

test('P5 P6 P7 one action id runs once for all callers, and a timed drive ends although its client died', async ({
  robot,
  startHeadless,
}) => {
  await startHeadless(await robot.keyUrl());
  const [one, two] = [await robot.join('one'), await robot.join('two')];
  await one.ready();
  const drive = (caller: WireParticipant, vx: number) =>
    caller.invoke('set_velocity', { vx, duration_s: 1 }, { action_id: 'drive-1' });
  const [first, joined] = await Promise.all([drive(one, -0.2), drive(two, -0.2)]);
  expect(first.status, JSON.stringify(first.error)).toBe('done');
  expect(joined).toEqual(first);
  expect(await drive(two, -0.2)).toEqual(first);
  expect(await drive(one, -0.3)).toMatchObject({ status: 'failed', error: { code: 'DUPLICATE_ACTION' } });
  expect(first.result.moved.dx).toBeGreaterThan(-0.3);
  expect(first.result.moved.dx).toBeLessThan(-0.1);
  expect(await two.call('runtime.action', { action_id: 'drive-1' })).toMatchObject({
    status: 'done',
    meta: { action_id: 'drive-1' },
  });

  // The client dies in the middle: the end can be read by another.
  const [doomed, other] = [await robot.join('doomed'), await robot.join('other')];
  // Time runs slowly until the client is gone, so that it dies in the middle however busy the machine is.
  await other.invoke('set_sim_speed', { speed: 0.1 });
  const lost = doomed.invoke('set_velocity', { wz: 0.5, duration_s: 1 }, { action_id: 'doomed-drive' }).catch(() => null);
  await expect.poll(async () => (await other.call('runtime.state')).runtime.active_action?.action_id).toBe('doomed-drive');
  await doomed.leave();
  await other.invoke('set_sim_speed', { speed: 1 });
  await expect
    .poll(async () => (await other.call('runtime.action', { action_id: 'doomed-drive' })).status, { timeout: 10_000 })
    .toBe('done');
  expect((await other.call('runtime.state')).robot.status).toBe('ready');
  await lost;
});

async function worksStill(caller: WireParticipant): Promise<void> {
  expect(await caller.invoke('set_head', { yaw: 0.2 })).toMatchObject({ status: 'done' });
}
