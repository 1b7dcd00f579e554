/** The whole user story of a room-key link, by an agent's author and a person at the page. The judge reads the wire, not our library. */
import { createHash } from 'node:crypto';
import { connect } from '../../src/client/index.ts';
import { expect, test } from './support/fixtures.ts';

const PAD_B = [-1.4, -5.5];

test('a link opens a robot that a program drives: pad, pick, carry, place, look, cancel, leave', async ({
  robot,
  client,
  open,
}) => {
  const openedAtMs = Date.now();
  const page = await open(await robot.keyUrl());
  expect(page.url()).not.toContain('key=');

  const witness = await robot.join('witness');
  const first = await firstAccepted(() => witness.invoke('set_head', { yaw: 0 }, undefined, 10_000));
  const openToAcceptedMs = Date.now() - openedAtMs;
  test.info().annotations.push({ type: 'open link to first accepted skill', description: `${openToAcceptedMs} ms` });
  expect(first.status).toBe('done');

  const session = await connect(client, robot.id, { workerNames: [], joinLivekit: true });
  await session.waitUntilReady();
  const skills = await session.discoverSkills();
  expect(skills.map((skill) => skill.name)).toContain('pick_entity');

  const walked = await session.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_A' } });
  expect(walked.status, JSON.stringify(walked)).toBe('done');

  const scene = await witness.call('runtime.scene_state', { kinds: ['cube'] });
  expect(scene.entities.cube_4).toMatchObject({
    kind: 'cube',
    attached_to: null,
    state: { color: 'red', parent_pad_id: 'pad_A' },
  });

  const near = await session.invoke('go_to', { target: { kind: 'entity', entity_id: 'cube_4' } });
  expect(near.status, JSON.stringify(near)).toBe('done');
  const picked = await session.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_4' } });
  expect(picked, JSON.stringify(picked)).toMatchObject({ status: 'done', result: { held: 'cube_4', held_count: 1 } });
  const holding = await witness.call('runtime.state');
  expect(holding.robot).toMatchObject({ status: 'holding', held_entity_ids: ['cube_4'] });
  await expect(page.getByText('Holding cube_4').first()).toBeVisible();

  const carried = await session.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_B' } });
  expect(carried.status, JSON.stringify(carried)).toBe('done');
  const placed = await session.invoke('place_entity', { target: { kind: 'entity', entity_id: 'pad_B' } });
  expect(placed, JSON.stringify(placed)).toMatchObject({
    status: 'done',
    result: { placed: 'cube_4', placed_on: 'pad_B', held_count: 0, collected: true },
  });

  const after = await witness.call('runtime.scene_state', { entity_ids: ['cube_4'] });
  const at = after.entities.cube_4.pose.position;
  expect(Math.hypot(at[0] - (PAD_B[0] ?? 0), at[1] - (PAD_B[1] ?? 0))).toBeLessThan(0.4);
  expect(after.entities.cube_4).toMatchObject({
    attached_to: null,
    visible: false,
    state: { parent_pad_id: 'pad_B', collected: true },
  });
  const state = await session.state.get('robot_status');
  expect(state.robot.extra.sort_benchmark).toMatchObject({ correct_count: 1, wrong_count: 0, pallet_stack_counts: { pad_B: 1 } });

  for (const camera of ['pov', 'topdown'] as const) {
    const picture = await session.getVision(camera, { width: 640, height: 360 });
    expect([...picture.jpeg.slice(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(picture.frame).toMatchObject({ width: 640, height: 360 });
  }

  const walking = session.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_C' } }, { actionId: 'walk-to-c' });
  await expect(page.getByText(/Walking to pad_C/).first()).toBeVisible();
  const cancelled = await session.cancelAction('walk-to-c');
  expect(cancelled).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
  expect(await walking).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' }, meta: { action_id: 'walk-to-c' } });
  const before = (await witness.call('runtime.state')).robot.pose.position;
  await witness.invoke('set_head', { yaw: 0.5 });
  const later = (await witness.call('runtime.state')).robot.pose.position;
  expect(Math.hypot(later[0] - before[0], later[1] - before[1])).toBeLessThan(0.01);

  // The session was open before: a program's end leaves it, and the page, alone. On request it ends both.
  await session.disconnect();
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  const again = await connect(client, robot.id, { workerNames: [], keepSession: false });
  await again.disconnect();
  await expect(page.getByText(/session (was|is) (closed|deleted|ended)/i).first()).toBeVisible();
});

test('P14 a picture arrives for its caller alone, whole, with its step, camera and hash', async ({ robot, openHidden }) => {
  await openHidden(await robot.keyUrl());
  const caller = await robot.join('caller');
  const other = await robot.join('other');
  await caller.ready();
  const reply = await caller.call('runtime.cameras_capture', {
    selector: { kind: 'id', id: 'pov' },
    options: { width: 320, height: 180, quality: 0.9 },
    stream: { id: 'frame-1', topic: 'platform.camera_capture' },
  });
  expect(reply, JSON.stringify(reply.error)).toMatchObject({
    status: 'done',
    result: { payload: { kind: 'byte_stream', topic: 'platform.camera_capture' } },
  });
  const file = await caller.file('frame-1');
  expect(file.bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  expect(file.bytes.length).toBe(reply.result.payload.byte_length);
  expect(file.attributes).toMatchObject({
    width: '320',
    height: '180',
    camera: 'pov',
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    step: String(reply.result.frame.step),
    byte_length: String(file.bytes.length),
  });
  const { intrinsics } = reply.result.frame;
  expect(intrinsics.fy).toBeCloseTo(90 / Math.tan((35 * Math.PI) / 180), 3);
  expect(intrinsics.fx).toBeCloseTo(intrinsics.fy, 6);
  const state = await caller.call('runtime.state');
  const camera = reply.result.frame.camera_pose.position;
  expect(camera[2] - state.robot.pose.position[2]).toBeCloseTo(0.53, 1);
  expect(other.filesReceived).toBe(0);
});

// biome-ignore lint/suspicious/noExplicitAny: a reply of the wire.
async function firstAccepted(call: () => Promise<any>): Promise<any> {
  for (;;) {
    const reply = await call().catch(() => null);
    if (reply && reply.error?.code !== 'NOT_READY') return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
