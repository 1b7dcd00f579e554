/** A tab that is reloaded or crashes in the middle of its work: nothing runs twice, and every caller can read the outcome. */
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

test.use({ picture: false });

const WALK = { target: { kind: 'entity', entity_id: 'pad_D' } };
const walk = (caller: WireParticipant) => caller.invoke('go_to', WALK, { action_id: 'walk' });
const pose = async (caller: WireParticipant) => (await caller.call('runtime.state')).robot.pose;

test('P5 P6 an action that runs while the tab is reloaded, or crashes, is reported as interrupted and does not run again', async ({
  robot,
  open,
  expectedProblems,
}) => {
  // Three loadings of the page in one test.
  test.slow();
  const url = await robot.keyUrl();
  const page = await open(url);
  const [caller, other] = [await robot.join('caller'), await robot.join('other')];
  await caller.ready();
  const before = await caller.invoke('set_head', { yaw: 0.3 }, { action_id: 'nod' });
  expect(before.status, JSON.stringify(before.error)).toBe('done');

  // Its reply is lost with the tab: no code waits for it.
  void walk(caller).catch(() => null);
  await expect.poll(async () => (await other.call('runtime.state')).runtime.active_action?.phase).toBe('walking');
  await page.reload();
  await caller.ready();

  // The body comes back with the speed that it had, and brakes.
  await expect.poll(async () => (await other.call('runtime.state')).robot.status).toBe('ready');
  const from = await pose(caller);
  const startedAtMs = (await caller.call('runtime.state')).timestamp.wall_time_ms;
  const answer = await walk(caller);
  expect(answer).toMatchObject({
    status: 'failed',
    error: {
      code: 'RUNTIME_SUSPENDED',
      details: { attempted: true, world_changed: 'unknown', retryable: true, interrupted_by: 'reload' },
    },
    meta: { action_id: 'walk' },
  });
  expect(answer.error.message).toMatch(/reloaded .* while go_to ran.* new action_id/);
  expect(answer.meta.started_at_ms).toBeLessThan(startedAtMs);
  expect(await other.call('runtime.action', { action_id: 'walk' })).toEqual(answer);
  expect(await walk(other)).toEqual(answer);
  const different = await caller.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_C' } }, { action_id: 'walk' });
  expect(different.error.code).toBe('DUPLICATE_ACTION');
  expect(await caller.invoke('set_head', { yaw: 0.3 }, { action_id: 'nod' })).toEqual(before);
  expect((await caller.call('runtime.action')).map((result: { meta: { action_id: string } }) => result.meta.action_id)).toEqual([
    'walk',
    'nod',
  ]);
  // A timed call of another part of the body gives the base its time to move, if it would.
  expect((await caller.invoke('set_head', { yaw: -0.8 })).status).toBe('done');
  expect(await pose(caller)).toEqual(from);
  expect((await caller.call('runtime.state')).runtime.active_action).toBeUndefined();

  // The tab crashes in the middle of another action, and its link is opened in a new tab.
  const turn = () => caller.invoke('set_velocity', { wz: 0.2, duration_s: 60 }, { action_id: 'turn' });
  void turn().catch(() => null);
  await expect.poll(async () => (await caller.call('runtime.state')).runtime.active_action?.action_id).toBe('turn');
  expectedProblems.push(/crash/i);
  const crashed = page.waitForEvent('crash');
  const cdp = await page.context().newCDPSession(page);
  void cdp.send('Page.crash').catch(() => undefined);
  await crashed;
  const again = await open(url, page.context());
  await caller.ready();
  expect(await turn()).toMatchObject({ status: 'failed', error: { code: 'RUNTIME_SUSPENDED' } });
  expect(await caller.invoke('set_head', { yaw: 0.3 }, { action_id: 'nod' })).toEqual(before);
  expect((await caller.call('runtime.state')).runtime.active_action).toBeUndefined();
  await again.getByRole('tab', { name: 'Actions' }).click();
  await expect(again.getByRole('button', { name: /^Walk to pad_D Interrupted/ })).toBeVisible();
  await expect(again.getByRole('button', { name: /Interrupted/ })).toHaveCount(2);

  // The new tab reports the same of the first action, and a new id simply works.
  expect(await walk(caller)).toEqual(answer);
  const drive = await caller.invoke('set_velocity', { vx: -0.2 }, { action_id: 'drive' });
  expect(drive.status, JSON.stringify(drive.error)).toBe('done');
});
