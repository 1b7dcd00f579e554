/** The ready signal for programs that look at a page: the example of the manual, and a visitor's page. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { generateWatchUrl } from '../../src/client/index.ts';
import { expect, test } from './support/fixtures.ts';

/** Runs the code block of the manual's section as it is written, against another address. */
async function runExample(page: Page, viewerUrl: string): Promise<void> {
  const section = /## In Playwright\n.*?```ts\n(.*?)```/s.exec(readFileSync('docs/viewer.md', 'utf8'))?.[1];
  if (section === undefined) throw new Error('docs/viewer.md has no example in its section "In Playwright"');
  const code = section.replace(/^import .*$/m, '').replace('http://127.0.0.1:8080', viewerUrl);
  const bodies: ((fixtures: { page: Page }) => Promise<void>)[] = [];
  new Function('expect', 'test', code)(expect, (_name: string, body: (typeof bodies)[number]) => bodies.push(body));
  expect(bodies).toHaveLength(1);
  for (const body of bodies) await body({ page });
}

test('the example of the manual waits for a live robot', async ({ platform, open }) => {
  await runExample(await open('about:blank'), platform.viewerUrl);
});

test('a visitor’s page waits while the robot is away, is live once the robot is there, and dispatches both', async ({
  platform,
  client,
  robot,
  open,
  startHeadless,
}) => {
  const link = await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl });
  const page = await open('about:blank');
  await page.addInitScript(() => {
    const reported: string[] = [];
    Object.assign(window, { reported });
    addEventListener('simplesim:state', (event) => reported.push((event as CustomEvent<{ state: string }>).detail.state));
  });
  await page.goto(link);
  await expect(page.locator('html')).toHaveAttribute('data-simplesim', 'waiting');
  const own = await startHeadless(await robot.keyUrl());
  await expect(page.locator('html')).toHaveAttribute('data-simplesim', 'live');
  await own.end();
  await expect(page.locator('html')).toHaveAttribute('data-simplesim', 'waiting');
  const reported = await page.evaluate(() => (window as unknown as { reported: string[] }).reported);
  expect(reported.filter((state) => state !== 'loading')).toEqual(['waiting', 'live', 'waiting']);
});
