/** The physical robot's contract in a tab, over the real SFU: signed control, and the arms' watchdog in a hidden page. */
import { dirname } from 'node:path';
import { runWorker } from '../worker/helpers/worker-process.ts';
import { startBareBrowser } from './support/bare-browser.ts';
import { Signer } from './support/envelopes.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const REACH = { r_arm: [-0.9, 0.1, 0, -0.6, 0], l_arm: [0.9, -0.1, 0, 0.6, 0] };
const STREAM_MS = 12_000;
const PACKET_EVERY_MS = 100;
const TIMEOUT_MS = 200;
/** Of the two figures, each to a whole millisecond. */
const ROUNDING_MS = 1;

test('a hidden tab takes signed calls only, holds the arms at 10 packets a second, and lets them go 200 ms after the last', {
  tag: '@alone',
}, async ({ robot, platform }) => {
  const hidden = await startBareBrowser();
  try {
    const page = await hidden.context.newPage();
    await page.goto(await robot.keyUrl('worker'));
    const caller = await robot.join();
    await caller.ready();
    const control = async () => (await caller.call('runtime.state')).robot.extra.control;
    const cover = await hidden.context.newPage();
    await cover.goto('about:blank');
    await cover.bringToFront();
    await expect.poll(async () => (await caller.call('runtime.state')).robot.extra.sim.hidden).toBe(true);

    const code = async (name: string, input: unknown) => (await caller.invoke(name, input)).error?.code;
    expect(await code('set_velocity', { vx: 0.3 })).toBe('PERMISSION_DENIED');
    expect(await code('set_upper_body', REACH)).toBe('PERMISSION_DENIED');
    expect(await code('stop', {})).toBe('PERMISSION_DENIED');

    const signer = new Signer();
    const send = (request: object) => caller.call('runtime.forward_envelope', request);
    await signer.askForGrant(platform.rcsUrl, platform.apiKey, robot.id);
    // One after the other: they carry numbers that must grow.
    const stranger = new Signer();
    expect((await send(stranger.seal('stop', {}, { robot_id: robot.id }))).error.code).toBe('ENVELOPE_MALFORMED');
    expect((await send(signer.seal('stop', {}, { robot_id: 'another' }))).error.code).toBe('ENVELOPE_WRONG_ROBOT');
    const stop = signer.seal('stop', {});
    expect(await send(stop)).toMatchObject({ status: 'done', result: { stopped: true } });
    expect((await send(stop)).error.code).toBe('ENVELOPE_REPLAYED');
    // Not with a stop: a new stop is accepted after any other call.
    expect((await send(signer.seal('set_velocity', { vx: 0.1 }, { seq: 1 }))).error.code).toBe('ENVELOPE_OUT_OF_ORDER');

    // The pose at ten packets a second, by a clock that does not wait for replies.
    const startedMs = Date.now();
    const gapsMs: number[] = [];
    const replies: Promise<{ status: string }>[] = [];
    const roundTripsMs: number[] = [];
    const post = async (request: object) => {
      const sentMs = Date.now();
      const reply = await send(request);
      roundTripsMs.push(Date.now() - sentMs);
      return reply;
    };
    for (let count = 0, lastMs = startedMs; Date.now() - startedMs < STREAM_MS; count += 1) {
      const waitMs = startedMs + count * PACKET_EVERY_MS - Date.now();
      // The rate of the packets is what is tested.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
      gapsMs.push(Date.now() - lastMs);
      lastMs = Date.now();
      replies.push(post(signer.seal('set_upper_body', REACH)));
    }
    const during = await control();
    for (const reply of await Promise.all(replies)) expect(reply.status).toBe('done');
    // A delay of this test, or of the way to the robot, is not the robot's fault.
    const slow = PACKET_EVERY_MS / 2;
    const late = gapsMs.filter((gapMs) => gapMs > PACKET_EVERY_MS + slow).length + roundTripsMs.filter((ms) => ms > slow).length;
    test.info().annotations.push({
      type: 'longest gap between packets',
      description: `${Math.max(...gapsMs)} ms, ${replies.length} sent`,
    });
    expect(during.upper_body.timeouts).toBeLessThanOrEqual(late);
    expect(during.upper_body.mode).toBe('trajectory');
    const worst = Math.max(
      ...[0, 1, 2, 3, 4].map((joint) => Math.abs(during.upper_body.measured.r_arm[joint] - (REACH.r_arm[joint] ?? 0))),
    );
    expect(worst).toBeLessThan(0.1);

    await expect.poll(async () => (await control()).upper_body.mode).toBe('damp');
    const { last_action: ended } = (await caller.call('runtime.state')).runtime;
    expect(ended).toMatchObject({ name: 'set_upper_body', status: 'failed', error: { code: 'TRAJECTORY_TIMEOUT' } });
    const { after_ms: afterMs, turn_gap_ms: turnGapMs } = ended.error.details;
    test.info().annotations.push({ type: 'limp after', description: `${afterMs} ms, ${turnGapMs} ms after the turn before` });
    expect(afterMs).toBeGreaterThanOrEqual(TIMEOUT_MS);
    // At its first turn after the time was up: however late a busy machine gives it one, the turn before was too early.
    expect(afterMs - turnGapMs).toBeLessThan(TIMEOUT_MS + ROUNDING_MS);
  } finally {
    await hidden.stop();
  }
});

test('a tab of one profile rejects the key of the other, and names the one that it needs', async ({ robot, open, platform }) => {
  const page = await open(`${await robot.keyUrl()}&profile=worker`);
  const problem = page.locator('#gate').getByRole('alert');
  await expect(problem).toContainText('This key is for the simulator');
  const field = page.getByRole('textbox', { name: 'Room key' });
  await field.fill(await robot.keyUrl());
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(problem).toContainText('leave profile=worker away');
  await field.fill(await robot.key(undefined, 'worker'));
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Physical contract')).toBeVisible();

  // A page without a request in its address takes the profile of the key, and a reload keeps it.
  const free = await open(`${platform.viewerUrl}/?key=${await robot.key(undefined, 'worker')}`);
  await free.getByRole('button', { name: 'Take over here' }).click();
  await expect(free.getByText('Physical contract')).toBeVisible();
  await expect(page.getByText('Another runtime took over').first()).toBeVisible();
  const witness = await robot.join('witness');
  await witness.ready();
  await free.reload();
  await witness.ready();
  expect(await witness.runtimeIdentity()).toBe(`rcw-${robot.id}`);
  expect((await witness.call('runtime.manifest')).profile).toBe('worker');
});

test('a worker without a page and a tab for one robot: the tab asks before it displaces the worker, which reports it', async ({
  robot,
  client,
  platform,
  open,
}) => {
  await client.robots.deleteSession(robot.id);
  await client.robots.createSession(robot.id, { workerNames: ['beside'] });
  const worker = runWorker(['--log', 'json', '--name', 'beside'], { SIMPLESIM_DATA_DIR: dirname(platform.localFile) });
  try {
    const ofRobot = (entry: object) => 'robot_id' in entry && entry.robot_id === robot.id;
    await worker.logged('robot_joined', (entry) => entry.identity === `rcw-${robot.id}`);
    const witness = await robot.join('witness');
    await witness.ready();
    // A robot without a page has no cameras; one in a tab has.
    expect((await witness.call('runtime.capabilities')).cameras).toEqual([]);

    const page = await open(await robot.keyUrl('worker'));
    await expect(page.getByRole('alert')).toContainText(/^A worker without a page has been this robot for /);
    await page.getByRole('button', { name: 'Take over here' }).click();
    expect(await worker.logged('robot_over', ofRobot)).toMatchObject({ why: 'taken_over' });
    await expect(page.getByText('Physical contract')).toBeVisible();
    await witness.ready();
    expect((await witness.call('runtime.capabilities')).cameras).not.toEqual([]);

    // The session asked for the worker by its name: it is back when the tab has gone.
    const before = worker.log.length;
    await page.close();
    await worker.logged('robot_joined', (entry) => entry.identity === `rcw-${robot.id}`, before);
    await witness.ready();
    expect((await witness.call('runtime.capabilities')).cameras).toEqual([]);
  } finally {
    worker.child.kill('SIGTERM');
    await worker.exit;
  }
});

test('a latched emergency stop outlives a reload, and releasing it leaves the arms hanging', async ({ robot, open }) => {
  const page = await open(`${await robot.keyUrl('worker')}&signed=off`);
  const witness = await robot.join('witness');
  await witness.ready();
  const state = () => witness.call('runtime.state');
  const armsMode = async () => (await state()).robot.extra.control.upper_body.mode;
  expect((await witness.invoke('set_upper_body', REACH)).status).toBe('done');
  await page.keyboard.press('Shift+Backspace');
  await expect.poll(async () => (await state()).runtime.accepts_tool_calls).toBe(false);
  await page.reload();
  // The first state shows it: the robot never starts released.
  await witness.ready();
  expect((await state()).runtime).toMatchObject({ accepts_tool_calls: false, status: 'error' });
  expect((await witness.invoke('stop', {})).error).toMatchObject({
    code: 'NOT_READY',
    details: { latched_by: "the robot's page" },
  });
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByRole('button', { name: 'Release the robot' }).click();
  await expect.poll(async () => (await state()).runtime.accepts_tool_calls).toBe(true);
  expect(await armsMode()).toBe('damp');
  expect((await witness.invoke('stop', {})).status).toBe('done');
  expect(await armsMode()).toBe('policy');
});

test('two tabs of one browser, one of each kind: the second asks, and takes over', async ({ robot, open }) => {
  const first = await open(await robot.keyUrl());
  const witness = await robot.join('witness');
  await witness.ready();
  const second = await open(await robot.keyUrl('worker'), first.context());
  await expect(second.getByText('Another tab is this robot').first()).toBeVisible();
  await second.getByRole('button', { name: 'Take over here' }).click();
  await expect(first.getByText('Another tab took over').first()).toBeVisible();
  const runtimes = () =>
    [...witness.room.remoteParticipants.values()].map(({ identity }) => identity).filter((name) => name.includes(robot.id));
  await expect.poll(runtimes).toEqual([`rcw-${robot.id}`]);
});
