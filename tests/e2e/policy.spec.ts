/** The page's strict policy, through a whole visit: nothing the page does is forbidden to it, in no thread. */
import { expect, test } from './support/fixtures.ts';

test('gate, robot of the tab alone, room, pick, picture, phone dialog and charts break no policy', async ({
  robot,
  platform,
  open,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const violations: string[] = [];
  await context.exposeFunction('noteViolation', (words: string) => violations.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { noteViolation } = window as unknown as { noteViolation: (words: string) => void };
      noteViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  // A breach in a worker reaches no listener of the page; the browser writes it to the console, which fails this test too.
  const page = await open(platform.viewerUrl, context);
  const policies = await page.evaluate(() => document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.outerHTML);
  expect(policies).toContain("default-src 'none'");

  await page.getByRole('button', { name: /try/i }).first().click();
  await expect(page.getByTestId('state')).toHaveText('Ready');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Back to the start' }).click();

  const field = page.getByRole('textbox', { name: /room key/i });
  await field.fill(await robot.key());
  await field.press('Enter');
  const caller = await robot.join();
  await caller.ready();
  const picked = await caller.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube' } });
  expect(picked, JSON.stringify(picked)).toMatchObject({ status: 'done' });
  const picture = await caller.call('runtime.cameras_capture', {
    selector: { kind: 'id', id: 'pov' },
    options: { width: 64, height: 36 },
    stream: { id: 'one' },
  });
  expect(picture).toMatchObject({ status: 'done' });

  await page.getByRole('tab', { name: 'State' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Open on a phone' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await page.evaluate(() => document.querySelectorAll('style').length)).toBe(0);
  expect(violations).toEqual([]);
  await page.close();
  await context.close();
});
