/** The page that checks the proof of a run: true, false and damaged files, time, eyes, and the way in from the gate. */
import RAPIER from '@dimforge/rapier3d-compat';
import type { Page } from '@playwright/test';
import { proofText, seal } from '../../src/tasks/proof-text.ts';
import { createRunStage, proofOf } from '../tasks/run-stage.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

/** A run in which an agent picks a cube and carries it off. */
async function runOfPick() {
  await RAPIER.init();
  const stage = await createRunStage();
  const call = (name: string, input: object) =>
    stage.call({ method: 'runtime.tools_call', payload: { name, input }, caller: 'agent' });
  call('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } });
  for (let step = 0; step < 720; step += 1) stage.step();
  call('go_to', { target: { kind: 'entity', entity_id: 'pad_E' } });
  for (let step = 0; step < 1_200; step += 1) stage.step();
  const proof = proofOf(stage);
  stage.runtime.dispose();
  return proof;
}

const give = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

test('a proof is checked in the page, shown at any moment and through any camera; a false and a damaged one are reported', async ({
  platform,
  open,
}) => {
  const proof = await runOfPick();
  const page = await open(`${platform.viewerUrl}/replay.html`);
  await expectNoAxeFindings(page, 'the way in');

  // One that is given to the gate opens here.
  await page.goto(platform.viewerUrl);
  await page.locator('#gate-file').setInputFiles({
    name: 'run.json',
    mimeType: 'application/json',
    buffer: Buffer.from(proofText(proof)),
  });
  await page.waitForURL(/replay\.html$/);
  const judged = page.getByTestId('judged');
  await expect(judged).toHaveText('True');
  await expect(page.getByRole('complementary', { name: 'The run' })).toContainText('all 1920 steps');
  const pick = page.getByRole('button', { name: /^Pick up cube_0/ });
  await expect(pick).toContainText('Done');

  // Any moment: the step that is shown is the one that was asked for.
  await page.getByRole('button', { name: 'Pause' }).click();
  const moment = page.getByRole('slider', { name: 'Moment' });
  await page.getByRole('button', { name: /^Walk to pad_E/ }).click();
  await expect(moment).toHaveAttribute('aria-valuetext', '0:06.0 of 0:16.0');
  await moment.press('ArrowRight');
  await expect(moment).toHaveAttribute('aria-valuetext', '0:07.0 of 0:16.0');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('16');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(moment).toHaveAttribute('aria-valuetext', '0:16.0 of 0:16.0');
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await page.getByRole('button', { name: 'Out of the robot’s head' }).click();
  await expect(page.locator('.world')).toHaveAttribute('data-drawn', 'true');
  await expectNoAxeFindings(page, 'a run that is shown');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.locator('.play-time')).toHaveText('0:16.0 / 0:16.0');
  await expect(page.locator('.play-length')).toBeVisible();
  const pillPx = () => judged.evaluate((pill) => pill.getBoundingClientRect().width);
  await expect.poll(pillPx).toBeLessThan(200);
  await page.setViewportSize({ width: 1440, height: 900 });

  // The last hash is another one: the whole file is sealed again, and still false.
  const { sha256: _, ...rest } = proof;
  await give(page, 'forged.json', proofText(seal({ ...rest, end_hash: '0123456789abcdef' })));
  await expect(judged).toHaveText('False');
  await page.getByRole('button', { name: 'Go to that moment' }).click();
  await expect(moment).toHaveAttribute('aria-valuetext', '0:16.0 of 0:16.0');

  await give(page, 'damaged.json', proofText(proof).replace('cube_0', 'cube_1'));
  await expect(page.getByRole('alert')).toContainText('Damaged: damaged.json.');
  await expect(page.getByRole('button', { name: 'Open a proof' })).toBeVisible();
});
