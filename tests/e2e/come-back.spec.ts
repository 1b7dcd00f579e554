/** A program's end that takes the session of the local platform's robot with it: the open page comes back automatically. */
import { connect } from '../../src/client/index.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

test('the page of the local robot comes back when a program has ended its session, with its world', async ({
  platform,
  client,
  open,
  expectedProblems,
}) => {
  const page = await open(platform.roomKeyUrl);
  const session = await connect(client, platform.robotId, { workerNames: [], keepSession: false });
  await session.waitUntilReady();
  const turned = await session.invoke('set_head', { yaw: 0.4 });
  expect(turned.status).toBe('done');
  const { room_name: before } = await client.robots.createParticipantToken(platform.robotId, { participantIdentity: 'a' });
  await session.disconnect();

  const next = await connect(client, platform.robotId, { workerNames: [] });
  await next.waitUntilReady();
  expect(next.roomName).not.toBe(before);
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  // The same robot, not one that has started again.
  expect((await next.state.get('robot_status')).robot.extra.head.measured.yaw).toBeCloseTo(0.4, 1);
  await next.disconnect();

  // A link that was printed earlier still leads to it. A browser reports on the console that the SFU has lost its room.
  expectedProblems.push(/404 .*\/rtc\/validate/);
  const again = await open(platform.roomKeyUrl);
  await expect(again.getByRole('heading', { name: /^Another/ }).or(again.locator('[data-phase=live]'))).toBeVisible();
});
