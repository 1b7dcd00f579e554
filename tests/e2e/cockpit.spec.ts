/** The cockpit by keyboard, on the built page: what a person does, what the robot does, and what others see of it. */
import type { Page } from '@playwright/test';
import type { ControlState, RuntimeState } from '../../src/protocol/wire/state.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { expectToBeAsInGallery } from './support/engine-state.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

test.use({ picture: false });

/** As the contract of set_upper_body gives it. */
const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
type Arms = ControlState['upper_body']['measured'];

interface Look {
  state: RuntimeState;
  control: ControlState;
}

/** The robot does not only report its state. */
const READ_EVERY_MS = 50;

/** Reads the state over the room until it is as asked. */
async function until(witness: WireParticipant, asked: (seen: Look) => boolean): Promise<Look> {
  for (;;) {
    const state: RuntimeState = await witness.call('runtime.state');
    const { control } = state.robot.extra;
    if (control && asked({ state, control })) return { state, control };
    // The state has no event; reads without a pause would crowd out the stream that they watch.
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
}

const gapRad = (one: Arms, other: Arms): number =>
  Math.max(...[...one.r_arm, ...one.l_arm].map((rad, index) => Math.abs(rad - ([...other.r_arm, ...other.l_arm][index] ?? 0))));
const areAt = (arms: Arms, withinRad: number) => (seen: Look) => gapRad(seen.control.upper_body.measured, arms) < withinRad;
const isWith = (mode: ControlState['upper_body']['mode']) => (seen: Look) => seen.control.upper_body.mode === mode;

/** How the last trajectory session ended. */
async function lastSession(witness: WireParticipant): Promise<Record<string, unknown> | undefined> {
  const actions: { name: string; result?: Record<string, unknown> }[] = await witness.call('runtime.action');
  return actions.find(({ name }) => name === 'set_upper_body')?.result;
}

async function openCockpit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cockpit', exact: true }).waitFor();
  await page.keyboard.press('g');
  await expect(page.getByRole('region', { name: 'Cockpit' })).toBeVisible();
}

test('arms in hand by keyboard: enter, pose, nudge, leave; losing the focus leaves in order; the emergency stop', {
  tag: '@alone',
}, async ({ robot, open }) => {
  const page = await open(await robot.keyUrl('worker'));
  const witness = await robot.join('sorter');
  await witness.ready();
  await openCockpit(page);
  const panel = page.getByRole('region', { name: 'Cockpit' });
  const notice = panel.locator('.cockpit-notice');

  await test.step('driving, M stops the robot before the arms follow', async () => {
    await page.keyboard.down('s');
    await until(witness, ({ control }) => control.velocity_holds);
    await expect(page.getByTestId('state')).toContainText('Driving until stopped');
    await page.keyboard.press('m');
    const { state } = await until(witness, isWith('trajectory'));
    expect(state.robot.extra.command).toEqual({ vx: 0, vy: 0, wz: 0 });
    await page.keyboard.up('s');
    await expect(page.getByTestId('state')).toContainText('Arms follow poses');
    await expectToBeAsInGallery(page, 'physical-arms');
  });

  await test.step('a preset and two nudges: the joints really are there', async () => {
    await page.keyboard.press('2');
    const reached = { r_arm: [-1.25, 0.08, 0, -0.4, 0], l_arm: [1.25, -0.08, 0, 0.4, 0] };
    await until(witness, areAt(reached, 0.05));
    await page.keyboard.press('l');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await until(witness, ({ control }) => Math.abs((control.upper_body.commanded?.l_arm[1] ?? 9) - 0.02) < 1e-9);
    await until(witness, areAt({ ...reached, l_arm: [1.25, 0.02, 0, 0.4, 0] }, 0.04));
    await expect(page.getByTestId('l_arm-1')).toHaveAccessibleName(/Left arm, shoulder roll: sent 0\.02 rad/);
    await expect(page.getByTestId('l_arm-1')).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('M leaves: standing, and the session ended by a velocity', async () => {
    await page.keyboard.press('m');
    await until(witness, isWith('policy'));
    const { control } = await until(witness, areAt(STANDING, 0.12));
    expect(control.velocity_holds).toBe(false);
    expect(await lastSession(witness)).toMatchObject({ taken_back_by: 'set_velocity' });
    await expect(page.getByTestId('state')).toContainText('Ready');
  });

  await test.step('losing the focus ends arm mode in order, with a notice', async () => {
    await page.keyboard.press('m');
    await until(witness, isWith('trajectory'));
    await page.keyboard.press('4');
    await until(witness, ({ control }) => (control.upper_body.measured.r_arm[3] ?? 0) < -1.2);
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await expect(notice).toContainText('Arm mode ended');
    await until(witness, isWith('policy'));
    await until(witness, areAt(STANDING, 0.12));
    expect(await lastSession(witness)).toMatchObject({ taken_back_by: 'set_velocity' });
  });

  await test.step('the emergency stop latches by its key, refuses, and is released by a second act', async () => {
    await page.keyboard.press('Shift+Backspace');
    await until(witness, ({ control }) => control.emergency_stop && control.upper_body.mode === 'damp');
    const banner = page.getByRole('alert').filter({ hasText: 'Emergency stop' });
    await expect(banner).toBeVisible();
    await page.keyboard.press('Shift+Backspace');
    await page.keyboard.down('w');
    await expect(notice).toContainText('Release it');
    await page.keyboard.up('w');
    const { state } = await until(witness, ({ control }) => control.emergency_stop);
    expect(state.runtime.accepts_tool_calls).toBe(false);
    expect(state.robot.extra.command).toEqual({ vx: 0, vy: 0, wz: 0 });
    await expectToBeAsInGallery(page, 'physical-stopped');
    await expectNoAxeFindings(page, 'emergency stop', ['light']);
    await page.getByRole('button', { name: 'Release…' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Keep it stopped' })).toBeFocused();
    const release = page.getByRole('button', { name: 'Release the robot' });
    await expect(release).toBeEnabled();
    await release.press('Enter');
    // Released, the arms hang until a command takes them.
    await until(witness, ({ control }) => !control.emergency_stop && control.upper_body.mode === 'damp');
    await expect(banner).toBeHidden();
    await expect(notice).toContainText('The arms are limp');
    await page.keyboard.press('w');
    await until(witness, isWith('policy'));
  });
});

test('another caller’s velocity is shown with a warning and stopped; unsigned calls are shown in red', async ({
  robot,
  open,
}) => {
  const page = await open(`${await robot.keyUrl('worker')}&signed=off`);
  const witness = await robot.join('sorter');
  await witness.ready();
  await page.getByRole('button', { name: 'Cockpit', exact: true }).waitFor();
  await expect(page.getByText('Unsigned calls are accepted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Drive by hand' })).toHaveCount(0);

  await test.step('without the cockpit: the strip shows the sender, and the space bar stops the robot', async () => {
    await witness.invoke('set_velocity', { vx: -0.1, duration_s: 0.2 });
    const strip = page.getByRole('region', { name: 'Running now' });
    await expect(strip.getByTestId('held-velocity')).toContainText(/0\.10 m\/s back.*sent by sorter/i);
    await page.keyboard.press('Space');
    await until(witness, ({ control }) => !control.velocity_holds);
    await expect(strip).toBeHidden();
  });

  await openCockpit(page);
  await test.step('in the cockpit: a warning with a stop beside it', async () => {
    await witness.invoke('set_velocity', { vyaw: 0.2 });
    const warning = page.getByRole('alert').filter({ hasText: 'Does not stop automatically' });
    await expect(warning).toContainText(/turn 11°\/s left.*sent by sorter/i);
    await expectNoAxeFindings(page, 'the cockpit’s warning', ['dark']);
    await warning.getByRole('button', { name: 'Stop it' }).press('Enter');
    await until(witness, ({ control }) => !control.velocity_holds);
    await expect(warning).toBeHidden();
  });

  await test.step('a held velocity is the cockpit’s own and no warning; let go, it stands', async () => {
    await page.keyboard.down('q');
    await until(witness, ({ control }) => control.velocity_holds);
    await expect(page.getByTestId('state')).toContainText('Driving until stopped');
    await expect(page.getByTestId('held-velocity')).toHaveCount(0);
    await page.keyboard.up('q');
    await until(witness, ({ control }) => !control.velocity_holds);
  });

  await test.step('nothing that this robot cannot do is offered', async () => {
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page
      .getByRole('button', { name: /^cube_1\b/ })
      .first()
      .click();
    await expect(page.getByRole('button', { name: /^(Go there|Pick up|Look at)/ })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /Copy id/ }).first()).toBeVisible();
  });
});
