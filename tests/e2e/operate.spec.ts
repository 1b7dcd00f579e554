/** A robot operated from a page that is not its own: everything over the room, as the calls of any caller, and shown as such. */
import type { Page } from '@playwright/test';
import { generateOperatorUrl } from '../../src/client/index.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expectToBeAsInGallery } from './support/engine-state.ts';
import { expect, test } from './support/fixtures.ts';
import { WireParticipant } from './support/wire-participant.ts';

interface Look {
  at: [number, number, number];
  command: { vx: number; vy: number; wz: number };
  isBusy: boolean;
}

async function look(witness: WireParticipant): Promise<Look> {
  const { robot, runtime } = await witness.call('runtime.state');
  return { at: robot.pose.position, command: robot.extra.command, isBusy: runtime.active_action !== undefined };
}

/** Reads the state over the room until it is as asked. */
async function until(witness: WireParticipant, asked: (seen: Look) => boolean): Promise<Look> {
  for (;;) {
    const seen = await look(witness);
    if (asked(seen)) return seen;
  }
}

const apartM = (one: Look, other: Look): number => Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]);
const isStill = ({ command: { vx, vy, wz } }: Look): boolean => vx === 0 && vy === 0 && wz === 0;

async function driveForward(page: Page, witness: WireParticipant): Promise<void> {
  const from = await look(witness);
  await page.keyboard.down('s');
  await until(witness, (seen) => apartM(from, seen) > 0.25);
}

/** Ends the page's process, so that it cannot leave in order. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}

test('an operator waits for a robot that another page is, calls, drives and stops it', async ({
  robot,
  client,
  platform,
  open,
  openHidden,
}) => {
  const options = { viewerBaseUrl: platform.viewerUrl, participantName: 'Ada' };
  const page = await open(await generateOperatorUrl(client, robot.id, options));
  await test.step('opened before the robot it names it', async () => {
    await expect(page.locator('.notice').filter({ hasText: 'The robot is offline.' })).toBeVisible();
    const owned = await client.robots.get(robot.id);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(owned.name);
    await expect(page.getByTestId('freshness')).toHaveText('Nothing yet');
  });
  const own = await openHidden(await robot.keyUrl());
  const witness = await robot.join('witness');
  await witness.ready();

  await test.step('the robot joins: the page differs from its own page, and shows the quality of the connection', async () => {
    await expect(page.getByText('At a distance')).toBeVisible();
    await expect(page.getByText('could not be listed')).toHaveCount(0);
    await expect(page.getByTestId('state')).toHaveText('Ready');
    await expect(page.getByTestId('freshness')).toHaveText(/^Live · \d+ ms · \d+ % lost$/);
    await expectToBeAsInGallery(page, 'operating');
    await expectNoAxeFindings(page, 'operating');
    await expectNothingCutOff(page, 'operating');
  });

  await test.step('the workbench calls, and the reply is there', async () => {
    await page.getByRole('tab', { name: 'Skills' }).click();
    await page.getByRole('button', { name: /^Turn the head/ }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText(/Done/).first()).toBeVisible();
    await page.getByRole('tab', { name: 'Actions' }).click();
    await expect(page.locator('.actions .action').first()).toContainText('this page');
  });

  await test.step('a key that is held walks, and let go it stands', async () => {
    await page.getByRole('button', { name: 'Drive by hand' }).waitFor();
    await page.keyboard.press('g');
    await expect(page.getByRole('region', { name: 'Driving by hand' })).toBeVisible();
    await driveForward(page, witness);
    await page.keyboard.up('s');
    await until(witness, isStill);
    await expect(page.getByRole('region', { name: 'Driving by hand' }).getByRole('status')).toContainText('Hold a key to drive');
    await page.keyboard.press('g');
  });

  await test.step('Stop ends an action of the program of another caller', async () => {
    await until(witness, ({ isBusy }) => !isBusy);
    const walking = witness.call('runtime.tools_call', {
      name: 'go_to',
      input: { target: { kind: 'entity', entity_id: 'pad_C' } },
    });
    await page.getByRole('region', { name: 'Running now' }).getByRole('button', { name: 'Stop' }).click();
    expect(await walking).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    await until(witness, isStill);
  });

  await test.step('a picture of a camera comes by call', async () => {
    await page.getByRole('button', { name: 'Robot’s cameras' }).click();
    await expect(page.locator('.camera-picture[data-state="showing"]').first()).toBeVisible();
    await page.getByRole('button', { name: 'Put the cameras away' }).click();
  });

  await test.step('the emergency stop latches at the robot; only its own page offers to release it', async () => {
    await page.getByRole('button', { name: 'Emergency stop' }).click();
    await expect(page.getByTestId('state')).toHaveText('Emergency stop');
    await expect(own.getByTestId('state')).toHaveText('Emergency stop');
    await expect(own.locator('.notice-stopped')).toContainText('Pressed by Ada.');
    expect((await witness.call('runtime.state')).robot.extra.emergency_stop).toMatchObject({ by_name: 'Ada' });
    const refused = await witness.call('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.3 } });
    expect(refused.error.message).toContain('(by Ada)');
    await expect(page.locator('.notice-stopped')).toContainText('Pressed by you.');
    await expect(page.getByText('until a person at the robot’s page or its worker’s machine releases the stop')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Release…' })).toHaveCount(0);
    await expect(own.getByRole('button', { name: 'Release…' })).toBeVisible();
    await expectNoAxeFindings(page, 'stopped');
  });

  await test.step('when the robot’s page closes, what is seen is old, and nothing is offered as the robot’s state', async () => {
    await page.keyboard.press('g');
    await expect(page.getByTestId('measured-walking')).toHaveText('0.00');
    await own.close();
    await expect(page.locator('.notice').filter({ hasText: 'The robot has been offline since' })).toBeVisible({
      timeout: 15_000,
    });
    await expect(page.getByTestId('state')).not.toHaveText('Ready');
    await expect(page.getByTestId('measured-walking')).toHaveText('–');
  });
});

test('a worker of the physical contract, signed, is driven and posed from the cockpit of an operator', { tag: '@alone' }, async ({
  platform,
  client,
  open,
}) => {
  const worker = runWorker(['--log', 'json', '--seed', '1', '--name', 'operated'], { SIMPLESIM_DATA_DIR: platform.dataDir });
  try {
    await worker.logged('registered');
    const { robot } = await client.robots.create({ name: 'Headless', model: 'm' });
    await client.robots.createSession(robot.id, { workerNames: ['operated'] });
    const { livekit_url, participant_token } = await client.robots.createParticipantToken(robot.id, {
      participantIdentity: 'witness',
    });
    const witness = await WireParticipant.join(livekit_url, participant_token);
    await witness.runtimeIdentity();
    const link = await generateOperatorUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl });
    let page = await open(link);
    const panel = () => page.getByRole('region', { name: 'Cockpit' });
    const control = async () => (await witness.call('runtime.state')).robot.extra.control;

    await test.step('the cockpit of the robot’s own page is here, with the robot’s watchdog and signature', async () => {
      await page.getByRole('button', { name: 'Cockpit', exact: true }).waitFor();
      await page.keyboard.press('g');
      await expect(panel()).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Headless' })).toBeVisible();
      await expect(page.getByTestId('gauge-signature')).toHaveText('required');
      await expect(page.getByTestId('freshness')).toContainText('Live');
      await expectNoAxeFindings(page, 'the cockpit at a distance');
    });

    await test.step('a held key walks; after its release the robot is stopped', async () => {
      await driveForward(page, witness);
      expect((await control()).velocity_holds).toBe(true);
      await page.keyboard.up('s');
      await until(witness, isStill);
    });

    await test.step('a page that dies with a key held renews no velocity, and the robot stands', async () => {
      await driveForward(page, witness);
      await crash(page);
      await until(witness, isStill);
      expect((await control()).velocity_ended_by_deadline).not.toBeNull();
    });

    page = await open(link);
    await page.getByRole('button', { name: 'Cockpit', exact: true }).waitFor();
    await page.keyboard.press('g');
    await expect(panel()).toBeVisible();

    await test.step('arms follow poses at their pace, and go limp when the page dies', async () => {
      await page.evaluate(() => {
        new MutationObserver(() => {
          if (/the other caller/.test(document.body.innerText)) document.documentElement.dataset.blamed = 'somebody else';
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      await page.keyboard.press('m');
      await expect.poll(async () => (await control()).upper_body.mode).toBe('trajectory');
      await page.keyboard.press('2');
      await expect.poll(async () => (await control()).upper_body.measured.r_arm[0]).toBeLessThan(-1);
      await expect(page.getByTestId('state')).toContainText('Arms follow poses');
      await expect(page.locator('html'), 'the shown sender of the poses').not.toHaveAttribute('data-blamed');
      const { timeouts } = (await control()).upper_body;
      await crash(page);
      await expect.poll(async () => (await control()).upper_body).toMatchObject({ mode: 'damp' });
      expect((await control()).upper_body.timeouts).toBeGreaterThan(timeouts);
      await until(witness, isStill);
    });

    await test.step('an unsigned command of another caller is rejected', async () => {
      const refused = await witness.call('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.3 } });
      expect(refused).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } });
    });
    await witness.leave();
    await client.robots.delete(robot.id);
  } finally {
    worker.child.kill('SIGTERM');
    await worker.exit;
    killWorkers();
  }
});
