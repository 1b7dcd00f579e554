/** Actions of an owner, on the page of all robots, for a robot with another driver. */
import { expect, test } from './support/fixtures.ts';

test('the owner removes the driver and stops a robot from the list of all robots', async ({
  robot,
  platform,
  open,
  openHidden,
}) => {
  const name = test.info().title.slice(0, 60);
  const own = await openHidden(await robot.keyUrl());
  const agent = await robot.join('wild');
  await agent.ready();
  const reported: string[] = [];
  agent.room.on('dataReceived', (bytes, _from, _kind, topic) => {
    if (topic !== 'simplesim.events') return;
    const event = JSON.parse(new TextDecoder().decode(bytes));
    reported.push([event.type, event.why, event.by].filter((part) => typeof part === 'string').join(' '));
  });
  expect(await agent.call('runtime.control', { action: 'take', name: 'Wild agent', kind: 'agent' })).toMatchObject({
    result: { you_drive: true },
  });
  // Silence would end the lease before the owner does, where the page of all robots opens slowly.
  const renewing = setInterval(() => void agent.call('runtime.control', { action: 'renew' }).catch(() => undefined), 1_000);
  const walking = agent.invoke('set_velocity', { vx: 0.2, duration_s: 60 });

  const wall = await open(platform.makeRobotsUrl());
  await wall.getByRole('searchbox').fill(name);
  const card = wall.getByRole('listitem').filter({ has: wall.getByRole('heading', { name: name, exact: true }) });
  await expect(card).toContainText('Wild agent');
  await card.getByRole('button', { name: `More for ${name}` }).click();
  await wall.getByRole('menuitem', { name: 'Take it from its driver' }).click();
  expect((await walking).error).toMatchObject({ code: 'NOT_CONTROLLER', details: { lost_by: 'taken_over', by: 'owner' } });
  clearInterval(renewing);
  await expect(wall.locator('.toast').filter({ hasText: `No one drives ${name} now` })).toBeVisible();
  await expect(card).not.toContainText('Wild agent');
  await expect.poll(() => reported).toEqual(['driver_changed taken', 'driver_changed taken_over owner']);

  // No one drives: the entry shows it, and does nothing.
  await card.getByRole('button', { name: `More for ${name}` }).click();
  await expect(wall.getByRole('menuitem', { name: 'Take it from its driver' })).toHaveAttribute('aria-disabled', 'true');
  await wall.keyboard.press('Escape');

  const again = agent.invoke('set_velocity', { vx: 0.2, duration_s: 60 });
  await expect.poll(async () => (await agent.call('runtime.state')).robot.status).toBe('moving');
  await card.getByRole('button', { name: `Emergency stop of ${name}` }).click();
  await expect(wall.locator('.toast').filter({ hasText: `${name} stands` })).toBeVisible();
  expect((await again).error).toMatchObject({ code: 'NOT_READY', details: { emergency_stop: true } });
  await expect(card.locator('.status')).toHaveText('Emergency stop');
  await expect(card.getByRole('button', { name: `Emergency stop of ${name}` })).toHaveCount(0);
  await expect(own.getByRole('alert').filter({ hasText: 'Emergency stop' })).toContainText('Pressed on the page of all robots');
});
