/** A whole visit: the strict policy of the page forbids nothing that it does in any thread, and the page contacts only its origin and the SFU. */
import { expect, test } from './support/fixtures.ts';

test('a visit from the gate to its end breaks no policy, asks only its origin and the SFU, and leaves no key behind', async ({
  robot,
  platform,
  open,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const asked = new Set<string>();
  const note = (url: string) => {
    if (/^(?:https?|wss?):/.test(url)) asked.add(new URL(url).host);
  };
  context.on('request', (request) => note(request.url()));
  context.on('page', (opened) => opened.on('websocket', (socket) => note(socket.url())));
  const violations: string[] = [];
  await context.exposeFunction('noteViolation', (text: string) => violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { noteViolation } = window as unknown as { noteViolation: (text: string) => void };
      noteViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  // A breach in a worker reaches no listener of the page; the browser writes it to the console, which fails this test too.
  const page = await open(platform.viewerUrl, context);
  const policies = await page.evaluate(() => document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.outerHTML);
  expect(policies).toContain("default-src 'none'");

  await page.getByRole('button', { name: 'Try it here' }).click();
  await expect(page.getByTestId('state')).toHaveText('Ready');
  expect(page.url()).toContain('try=1');
  await page.reload();
  await expect(page.getByTestId('state')).toHaveText('Ready');
  const own = new URL(platform.viewerUrl).host;
  expect([...asked]).toEqual([own]);
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

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Leave the room' }).click();
  await expect(page.getByRole('heading', { name: 'You left the room' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('k1~');
  expect([...asked].sort()).toEqual([own, new URL(platform.livekitUrl).host].sort());
  expect(violations).toEqual([]);
  await page.close();
  await context.close();
});
