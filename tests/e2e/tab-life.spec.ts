/** What becomes of a tab: hidden, replaced by another, its session deleted, its SFU gone for a moment. */
import { startBareBrowser } from './support/bare-browser.ts';
import { expect, test } from './support/fixtures.ts';

test('P13 a truly hidden page keeps time, walks, cancels and takes pictures', async ({ robot }) => {
  const hidden = await startBareBrowser();
  try {
    const { context } = hidden;
    const page = await context.newPage();
    await page.goto(await robot.keyUrl());
    const caller = await robot.join();
    await caller.ready();
    const cover = await context.newPage();
    await cover.goto('about:blank');
    await cover.bringToFront();
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');

    const startedAtMs = Date.now();
    const from = (await caller.call('runtime.state')).timestamp;
    const walked = await caller.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_C' } });
    expect(walked.status, JSON.stringify(walked.error)).toBe('done');
    const reply = await caller.call('runtime.cameras_capture', {
      selector: { kind: 'id', id: 'pov' },
      options: { width: 640, height: 360 },
      stream: { id: 'hidden-1' },
    });
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect((await caller.file('hidden-1')).bytes.length).toBe(reply.result.payload.byte_length);
    await caller.invoke('set_velocity', { wz: 0.4, duration_s: 3 });
    const to = (await caller.call('runtime.state')).timestamp;
    const factor = ((to.sim_time_s - from.sim_time_s) * 1000) / (to.wall_time_ms - from.wall_time_ms);
    test.info().annotations.push({ type: 'real-time factor hidden', description: factor.toFixed(3) });
    expect(Date.now() - startedAtMs).toBeGreaterThan(3000);
    expect(factor).toBeGreaterThan(0.95);
    expect((await caller.call('runtime.state')).robot.extra.sim.hidden).toBe(true);
    const walking = caller.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_D' } }, { action_id: 'hidden-walk' });
    await expect.poll(async () => (await caller.call('runtime.state')).runtime.active_action?.phase).toBe('walking');
    expect(await caller.call('runtime.cancel', { options: { action_id: 'cancel-active' } })).toMatchObject({
      error: { code: 'CANCELLED' },
    });
    expect(await walking).toMatchObject({ error: { code: 'CANCELLED' } });
  } finally {
    await hidden.stop();
  }
});

test('P15 calls before the robot is ready are answered NOT_READY at once, then simply work', async ({ robot, open }) => {
  const caller = await robot.join();
  const opening = open(await robot.keyUrl());
  // How long the page itself takes to join is the machine's affair; from then on an answer must not wait for the loading.
  await caller.runtimeIdentity();
  const codes = new Set<string>();
  for (;;) {
    const reply = await caller.callText('runtime.tools_call', JSON.stringify({ name: 'set_head', input: { yaw: 0.1 } }), 10_000);
    const { status, error } = JSON.parse(reply);
    if (status === 'done') break;
    codes.add(error.code);
    expect(error.message).toMatch(/loading/i);
    expect(error.details).toMatchObject({ stage: 'readiness', attempted: false, world_changed: 'no', retryable: true });
  }
  await opening;
  expect([...codes]).toEqual(['NOT_READY']);
});

test('a second tab takes the robot over, and the first says so', async ({ robot, open }) => {
  const first = await open(await robot.keyUrl());
  const caller = await robot.join();
  await caller.ready();
  await open(await robot.keyUrl());
  await expect(first.getByText(/another tab/i).first()).toBeVisible();
  await caller.ready();
  expect(await caller.invoke('set_head', { yaw: 0.1 })).toMatchObject({ status: 'done' });
});

test('a deleted session ends with a sentence and a way on', async ({ robot, client, open }) => {
  const page = await open(await robot.keyUrl());
  const caller = await robot.join();
  await caller.ready();
  await client.robots.deleteSession(robot.id);
  await expect(page.getByText(/session (was|is) (closed|deleted|ended)/i).first()).toBeVisible();
});

test('leaving the room from the page stops the robot and forgets the key', async ({ robot, open }) => {
  const page = await open(await robot.keyUrl());
  const caller = await robot.join();
  await caller.ready();
  await page.getByRole('button', { name: /menu/i }).click();
  await page.getByRole('menuitem', { name: /leave/i }).click();
  await expect(
    page
      .getByRole('textbox', { name: /room key/i })
      .or(page.getByText(/left the room/i))
      .first(),
  ).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('k1~');
});
