/** The life of a tab: hidden, replaced by another, its session deleted, its SFU gone for a moment. */
import { startBareBrowser } from './support/bare-browser.ts';
import { streamCalls } from './support/call-stream.ts';
import { expect, test } from './support/fixtures.ts';

/** As long as a person looks at something else. */
const HIDDEN_FOR_MS = 90_000;

test('P13 P11 a hidden page keeps time and serves every call for a minute and a half, then stops on request', {
  tag: '@quiet',
}, async ({ robot }) => {
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
    await expect.poll(async () => (await caller.call('runtime.state')).robot.extra.sim.hidden).toBe(true);

    const from = await caller.call('runtime.state');
    const stream = await streamCalls(caller, HIDDEN_FOR_MS);
    const to = await caller.call('runtime.state');
    const hiddenMs = to.timestamp.wall_time_ms - from.timestamp.wall_time_ms;
    const factor = ((to.timestamp.sim_time_s - from.timestamp.sim_time_s) * 1000) / hiddenMs;
    const outcomes = Object.entries(stream.outcomes).map(([outcome, count]) => `${outcome} ${count}`);
    const summary = `${factor.toFixed(3)} over ${(hiddenMs / 1000).toFixed(0)} s, ${stream.sent} calls: ${outcomes.join(', ')}`;
    test.info().annotations.push({ type: 'real-time factor hidden', description: summary });
    expect(stream.problems).toEqual([]);
    expect(stream.answered).toBe(stream.sent);
    expect(to.robot.extra.sim).toMatchObject({ hidden: true, suspended_ms: from.robot.extra.sim.suspended_ms });
    expect(factor).toBeGreaterThanOrEqual(0.95);
    for (const outcome of ['go_to done', 'pick_entity done', 'picture 16 × 16', 'picture 1920 × 1080']) {
      expect(stream.outcomes[outcome], `${outcome} in ${summary}`).toBeGreaterThan(0);
    }

    const options = { action_id: 'hidden-turn' };
    const turning = caller.invoke('set_velocity', { wz: 0.2, duration_s: 300 }, options);
    await expect.poll(async () => (await caller.call('runtime.state')).runtime.active_action?.action_id).toBe(options.action_id);
    expect(await caller.call('runtime.cancel', { options })).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(await turning).toMatchObject({ error: { code: 'CANCELLED' } });
  } finally {
    await hidden.stop();
  }
});

test('P15 calls before the robot is ready are answered NOT_READY at once, then it acts, and a picture waits for the cameras', async ({
  robot,
  browser,
  open,
}) => {
  // Physics and cameras come only when they are let: else a fast machine would be ready before anyone could ask.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const held = async (what: RegExp): Promise<() => void> => {
    let letLoad = (): void => {};
    const isLet = new Promise<void>((resolve) => {
      letLoad = resolve;
    });
    await context.route(what, async (route) => {
      await isLet;
      await route.continue();
    });
    return letLoad;
  };
  const letPhysics = await held(/rapier_wasm3d/);
  const letCameras = await held(/camera-worker/);
  const caller = await robot.join();
  const opening = open(await robot.keyUrl(), context);
  // How long the page itself takes to join is the machine's affair; from then on an answer must not wait for the loading.
  await caller.runtimeIdentity();
  const codes = new Set<string>();
  for (;;) {
    const { status, error } = await caller.invoke('set_head', { yaw: 0.1 });
    if (status === 'done') break;
    codes.add(error.code);
    expect(error.message).toMatch(/loading/i);
    expect(error.details).toMatchObject({ stage: 'readiness', attempted: false, world_changed: 'no', retryable: true });
    letPhysics();
  }
  expect([...codes]).toEqual(['NOT_READY']);
  const page = await opening;
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  const before = await caller.call('runtime.state');
  expect(before.runtime).toMatchObject({ accepts_tool_calls: true, accepts_capture_requests: false });

  const capture = { selector: { kind: 'id', id: 'pov' }, options: { width: 64, height: 64 }, stream: { id: 'early' } };
  let isAnswered = false;
  const picture = caller.call('runtime.cameras_capture', capture, 60_000).finally(() => {
    isAnswered = true;
  });
  expect(await caller.invoke('set_head', { yaw: -0.4 })).toMatchObject({ status: 'done' });
  expect(isAnswered).toBe(false);
  letCameras();
  // On a machine that builds them slowly the call is rejected, and repeated.
  let taken = await picture;
  while (taken.error?.code === 'NOT_READY') taken = await caller.call('runtime.cameras_capture', capture, 60_000);
  expect(taken.status, JSON.stringify(taken.error)).toBe('done');
  expect((await caller.call('runtime.state')).runtime.accepts_capture_requests).toBe(true);
  await context.close();
});
