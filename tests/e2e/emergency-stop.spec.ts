/** The emergency stop of a robot in a tab: pressed by every path, also in a hidden page, and released only by a person there. */
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { RoomServiceClient } from 'livekit-server-sdk';
import { readLocalFile } from '../../src/launch/local-file.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { startBareBrowser } from './support/bare-browser.ts';
import { expectToBeAsInGallery } from './support/engine-state.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

/** A test of what people see of a stopped robot has a browser of its own. */
test.use({ picture: false });

const METHOD = 'runtime.emergency_stop';
const AGAIN_MS = 10;
/** Of the 1.5 m/s that are commanded. */
const FULL_SPEED_MPS = 1.4;
/** By each path; the table in docs/physical-robot.md has five. */
const PRESSES = Number(process.env.SIMPLESIM_PRESSES ?? 1);
/** A loaded machine shows only other times. */
const VISIBILITIES = PRESSES > 1 ? (['seen', 'hidden', 'hidden, on a loaded machine'] as const) : (['seen', 'hidden'] as const);
const FULL_SPEED_WITHIN_SIM_S = 20;
/** The robot has other things to do than to report its state. */
const READ_EVERY_MS = 20;

const stateOf = (caller: WireParticipant) => caller.call('runtime.state');
const latched = async (caller: WireParticipant) => (await stateOf(caller)).robot.extra.emergency_stop;

/** Settles as soon as the base drives so fast: it must not come to a wall before the press. */
async function atFullSpeed(caller: WireParticipant): Promise<void> {
  let before = await stateOf(caller);
  let now = before;
  const untilS = before.timestamp.sim_time_s + FULL_SPEED_WITHIN_SIM_S;
  while (now.timestamp.sim_time_s < untilS) {
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
    now = await stateOf(caller);
    const passedS = now.timestamp.sim_time_s - before.timestamp.sim_time_s;
    const [from, to] = [before.robot.pose.position, now.robot.pose.position];
    if (passedS > 0 && Math.hypot(to[0] - from[0], to[1] - from[1]) / passedS > FULL_SPEED_MPS) return;
    if (passedS > 0) before = now;
  }
  throw new Error('The robot did not reach its speed.');
}

test('pressed by a call, it shows caller and reason, rejects calls, outlives a reload, and is released by a person who confirms twice; pressed at the page too', async ({
  robot,
  open,
  client,
}) => {
  const page = await open(await robot.keyUrl());
  const caller = await robot.join('ann');
  await caller.ready();
  const walking = caller.invoke('set_velocity', { vx: 0.5, duration_s: 60 });
  await expect.poll(async () => (await stateOf(caller)).robot.status).toBe('moving');
  await expectToBeAsInGallery(page, 'running');
  expect(await caller.call(METHOD, { reason: 'A person is in the aisle' })).toMatchObject({
    status: 'done',
    result: { stands: true, emergency_stop: { by: 'ann' } },
  });
  expect((await walking).error).toMatchObject({ code: 'NOT_READY', details: { latched_by: 'ann' } });

  const banner = page.getByRole('alert').filter({ hasText: 'Emergency stop' });
  await expect(banner).toContainText('Pressed by ann: “A person is in the aisle”.');
  await expect(page.getByRole('button', { name: 'Emergency stop' })).toHaveAttribute('aria-pressed', 'true');
  await expectToBeAsInGallery(page, 'stopped');
  await expectNoAxeFindings(page, 'emergency stop of a simulator', ['light']);
  expect((await caller.invoke('reset', {})).error.code).toBe('NOT_READY');

  await page.reload();
  await caller.ready();
  expect(await latched(caller)).toMatchObject({ by: 'ann', reason: 'A person is in the aisle' });

  // No key releases it, and one press does not either.
  await page.keyboard.press('Shift+Backspace');
  await page.getByRole('button', { name: 'Release…' }).click();
  expect(await latched(caller)).not.toBeNull();
  // A press over HTTP while the person is asked is part of what they release, and the service hears of it.
  expect(await client.robots.emergencyStop(robot.id)).toMatchObject({ stands: true });
  await page.getByRole('button', { name: 'Release the robot' }).click();
  await expect.poll(() => latched(caller)).toBeNull();
  const metadata = async () => (await client.robots.createSession(robot.id, { workerNames: [] })).room_metadata;
  await expect.poll(async () => (await metadata()).emergency_stop).toBeUndefined();
  expect(await latched(caller)).toBeNull();
  expect((await caller.invoke('set_velocity', { vx: 0.2, duration_s: 0.2 })).status).toBe('done');

  // The page presses it too, by mouse and by its keys.
  await page.getByRole('button', { name: 'Emergency stop' }).click();
  await expect.poll(() => latched(caller)).toMatchObject({ by: "the robot's page", reason: null });
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByRole('button', { name: 'Release the robot' }).click();
  await expect.poll(() => latched(caller)).toBeNull();
  await page.keyboard.press('Shift+Backspace');
  await expect.poll(() => latched(caller)).not.toBeNull();
});

test('pressed over the room it outlives its session and its tab, and a person releases it in the next session', async ({
  robot,
  open,
  client,
}) => {
  test.slow();
  const page = await open(await robot.keyUrl());
  const context = page.context();
  const caller = await robot.join('ann');
  await caller.ready();
  expect(await caller.call(METHOD, { reason: 'A person is in the aisle' })).toMatchObject({ status: 'done' });
  await page.close();
  await client.robots.deleteSession(robot.id);
  await client.robots.createSession(robot.id, { workerNames: [] });

  const next = await open(await robot.keyUrl(), context);
  const other = await robot.join('bob');
  await other.ready();
  expect(await latched(other)).toMatchObject({ by: 'ann', reason: 'A person is in the aisle' });
  expect((await other.invoke('set_velocity', { vx: 0.2 })).error.code).toBe('NOT_READY');
  await next.getByRole('button', { name: 'Release…' }).click();
  await next.getByRole('button', { name: 'Release the robot' }).click();
  await expect.poll(() => latched(other)).toBeNull();
  await next.reload();
  await other.ready();
  expect(await latched(other)).toBeNull();
});

test('a tab that opens later is stopped before its first command', async ({ robot, openHidden, client }) => {
  expect(await client.robots.emergencyStop(robot.id, { reason: 'gas' })).toMatchObject({ stands: null });
  await openHidden(await robot.keyUrl());
  const caller = await robot.join('ann');
  const driving: Promise<{ status: string }>[] = [];
  const stream = setInterval(() => {
    driving.push(caller.invoke('set_velocity', { vx: 0.5, duration_s: 1 }).catch(() => ({ status: 'lost' })));
  }, AGAIN_MS);
  await expect.poll(async () => latched(caller).catch(() => null), { timeout: 60_000 }).toMatchObject({ reason: 'gas' });
  clearInterval(stream);
  expect((await Promise.all(driving)).filter(({ status }) => status === 'done')).toEqual([]);
});

for (const visibility of VISIBILITIES) {
  // One press shows that each path stops the robot. Several are a measurement, which needs the machine for itself.
  test(`by each path the robot stands, in a tab that is ${visibility}`, { tag: PRESSES > 1 ? '@alone' : [] }, async ({
    robot,
    platform,
    client,
  }) => {
    test.setTimeout(400_000);
    const browser = await startBareBrowser();
    const load =
      visibility === 'hidden, on a loaded machine' ? cpus().map(() => spawn(process.execPath, ['-e', 'for(;;);'])) : [];
    try {
      const page = await browser.context.newPage();
      await page.goto(await robot.keyUrl());
      const caller = await robot.join('ann');
      await caller.ready();
      const session = await client.robots.createSession(robot.id, { workerNames: [] });
      const { livekit_api_key: key, livekit_api_secret: secret } = readLocalFile(platform.dataDir);
      const rooms = new RoomServiceClient(session.livekit_url.replace(/^ws/, 'http'), key, secret);
      const stands = async () => {
        while ((await stateOf(caller)).robot.status !== 'error' || (await latched(caller)) === null);
      };
      let presses = 0;
      let drives = 0;
      const paths: Record<string, () => Promise<unknown>> = {
        button: async () => {
          // Also if no person looks: a screen reader, or the other half of a split screen.
          await page.evaluate(() => document.querySelector<HTMLButtonElement>('.emergency-stop')?.click());
          await stands();
        },
        RPC: () => caller.call(METHOD),
        HTTP: () => client.robots.emergencyStop(robot.id),
        metadata: async () => {
          presses += 1;
          const press = { press_id: `measured-${presses}`, by: 'over HTTP', since_ms: 1, reason: null };
          const written = { ...session.room_metadata, emergency_stop: press };
          await rooms.updateRoomMetadata(session.room_name, JSON.stringify(written));
          await stands();
        },
      };
      const cover = await browser.context.newPage();
      await cover.goto('about:blank');
      await (visibility === 'seen' ? page : cover).bringToFront();
      for (const [path, press] of Object.entries(paths)) {
        const tookMs: number[] = [];
        for (let time = 0; time < PRESSES; time += 1) {
          await (visibility === 'seen' ? page : cover).bringToFront();
          await expect.poll(async () => (await stateOf(caller)).robot.extra.sim.hidden).toBe(visibility !== 'seen');
          // To and fro, so that no wall is met.
          const driving = caller.invoke('set_velocity', { vx: drives % 2 === 0 ? -1.5 : 1.5, duration_s: 60 });
          drives += 1;
          await atFullSpeed(caller);
          const startedMs = performance.now();
          await press();
          tookMs.push(Math.round(performance.now() - startedMs));
          expect((await driving).error.code).toBe('NOT_READY');
          await page.bringToFront();
          await page.getByRole('button', { name: 'Release…' }).click();
          await page.getByRole('button', { name: 'Release the robot' }).click();
          await expect.poll(() => latched(caller), { timeout: 20_000 }).toBeNull();
        }
        test.info().annotations.push({ type: `${path}, ${visibility}: ms`, description: tookMs.join(' ') });
        process.stdout.write(`emergency stop by ${path}, tab ${visibility}: ${tookMs.join(' ')} ms\n`);
      }
    } finally {
      for (const busy of load) busy.kill('SIGKILL');
      await browser.stop();
    }
  });
}
