/** The physical robot's contract in a tab, over the real SFU: signed control, and the arms' watchdog in a page that nobody sees. */
import { startBareBrowser } from './support/bare-browser.ts';
import { Signer } from './support/envelopes.ts';
import { expect, test } from './support/fixtures.ts';

const REACH = { r_arm: [-0.9, 0.1, 0, -0.6, 0], l_arm: [0.9, -0.1, 0, 0.6, 0] };
const STREAM_MS = 12_000;
const PACKET_EVERY_MS = 100;
/** The rule, and a step of the simulation beyond it. */
const TIMEOUT_MS = 200;
const STEP_MS = 1000 / 120;
/** How late a step may come on a busy machine; that the watchdog fires with the very step is shown in tests/runtime/worker. */
const LATE_STEP_MS = 100;

test('a hidden tab takes signed calls only, holds the arms at 10 packets a second, and lets them go 200 ms after the last', async ({
  robot,
  platform,
}) => {
  const hidden = await startBareBrowser();
  try {
    const page = await hidden.context.newPage();
    await page.goto(`${await robot.keyUrl()}&profile=worker`);
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
    expect((await send(signer.seal('stop', {}, { seq: 1 }))).error.code).toBe('ENVELOPE_OUT_OF_ORDER');

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
    // What this test, or the way to the robot, held back is not the robot's fault.
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
    const { after_ms: afterMs } = ended.error.details;
    test.info().annotations.push({ type: 'limp after', description: `${afterMs} ms` });
    expect(afterMs).toBeGreaterThanOrEqual(TIMEOUT_MS);
    expect(afterMs).toBeLessThanOrEqual(TIMEOUT_MS + STEP_MS + LATE_STEP_MS);
  } finally {
    await hidden.stop();
  }
});
