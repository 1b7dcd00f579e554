/** One who drives, as the person at the robot's page sees it: who it is, taking over, being asked, giving, and the menu's way to drive alone. */
import { expectNoAxeFindings } from './support/axe.ts';
import { expectToBeAsInGallery } from './support/engine-state.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

test.use({ picture: false });

const METHOD = 'runtime.control';
const driverOf = async (caller: WireParticipant) => (await caller.call('runtime.state')).robot.extra.driver;

test('a program drives, the person takes over, is asked, gives the robot back, and drives alone again', async ({
  robot,
  client,
  open,
}) => {
  const page = await open(await robot.keyUrl());
  const caller = await robot.join('ann');
  await caller.ready();
  const reported: string[] = [];
  caller.room.on('dataReceived', (bytes, from, _kind, topic) => {
    if (topic !== 'simplesim.events') return;
    const event = JSON.parse(new TextDecoder().decode(bytes));
    reported.push(`${event.type} ${event.why ?? ''} from ${from?.identity.split(':')[0]}`);
  });
  const renewing = setInterval(() => void caller.call(METHOD, { action: 'renew' }).catch(() => undefined), 1_000);
  expect(await caller.call(METHOD, { action: 'take', name: 'Sorter', kind: 'agent' })).toMatchObject({
    result: { you_drive: true },
  });
  const notice = page.locator('.notice');
  await expect(notice).toContainText('The agent Sorter drives.');
  await expectToBeAsInGallery(page, 'driven');
  await expectNoAxeFindings(page, 'a robot that a program drives', ['light', 'dark']);

  // The keys of the person are refused, with a sentence, until they take over.
  await page.getByRole('button', { name: 'Drive by hand' }).click();
  const panel = page.getByRole('region', { name: 'Driving by hand' });
  await expect(panel).toBeVisible();
  await page.keyboard.down('w');
  await expect(panel.getByRole('status')).toContainText('The agent Sorter drives this robot. Take it over');
  await page.keyboard.up('w');
  const walking = caller.invoke('set_velocity', { vx: 0.3, duration_s: 60 });
  await expect.poll(async () => (await caller.call('runtime.state')).robot.status).toBe('moving');
  await page.getByRole('button', { name: 'Take over' }).click();
  expect((await walking).error).toMatchObject({ code: 'NOT_CONTROLLER', details: { lost_by: 'taken_over' } });
  await expect(notice).toContainText('You drive.');
  expect((await caller.invoke('set_head', { yaw: 0.1 })).error).toMatchObject({
    code: 'NOT_CONTROLLER',
    details: { driver: { identity: null, kind: 'person' } },
  });
  await expect.poll(() => reported).toEqual(['driver_changed taken from simplesim', 'driver_changed taken_over from simplesim']);

  // The page renews the lease for its person: silence would end it after 10 s.
  await expect
    .poll(async () => Date.now() - ((await driverOf(caller))?.since_ms ?? Date.now()), { timeout: 30_000 })
    .toBeGreaterThan(11_000);

  await caller.call(METHOD, { action: 'ask', name: 'Sorter', kind: 'agent' });
  await expect(page.getByRole('alert').filter({ hasText: 'asks for the robot' })).toContainText('The agent Sorter asks');
  await expectToBeAsInGallery(page, 'asked');
  await page.getByRole('button', { name: 'Give it' }).click();
  await expect.poll(async () => (await driverOf(caller))?.name).toBe('Sorter');
  await expect(notice).toContainText('The agent Sorter drives.');
  clearInterval(renewing);
  await caller.call(METHOD, { action: 'release' });
  await expect(notice).toHaveCount(0);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Drive alone' }).click();
  await expect(notice).toContainText('You drive.');
  await page.getByRole('button', { name: 'Let others drive' }).click();
  await expect(notice).toHaveCount(0);
  expect((await caller.invoke('set_head', { yaw: 0.1 })).status).toBe('done');

  // The owner removes the driver with a key of the account, and the page shows it.
  await caller.call(METHOD, { action: 'take', name: 'Sorter', kind: 'agent' });
  await expect(notice).toContainText('The agent Sorter drives.');
  expect(await client.robots.releaseControl(robot.id)).toMatchObject({ driver: null, previous: { name: 'Sorter' } });
  await expect(notice).toHaveCount(0);
  await expect.poll(() => reported.at(-1)).toBe('driver_changed taken_over from simplesim');

  // A lease does not outlive a reload, and its former driver learns it with its next message.
  await caller.call(METHOD, { action: 'take' });
  await page.reload();
  await caller.ready();
  expect(await driverOf(caller)).toBeNull();
  expect((await caller.call(METHOD, { action: 'renew' })).error).toMatchObject({
    code: 'NOT_CONTROLLER',
    details: { driver: null },
  });
});
