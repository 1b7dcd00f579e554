/** The tools of the robot of a tab, for an agent in the browser. The browser calls them as its own agent would. */
import { type Browser, chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, COMPILED_ONCE, findBrowser } from '../../scripts/ensure-browser.ts';
import { TOOLS } from '../../src/agent-tools/catalogue.ts';
import type { ToolResult } from '../../src/agent-tools/tool-result.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser() as string,
    args: [...BROWSER_ARGS, COMPILED_ONCE, '--enable-features=WebMCP'],
  });

/** Returns a function that calls a tool of a page. */
const toolsOf =
  (page: Page) =>
  async (name: string, input = {}): Promise<ToolResult> =>
    (await page.webmcp.callTool(name, input)) as unknown as ToolResult;

test('an agent in the browser drives the robot of the tab and stops it in mid-walk', async ({ open, platform }) => {
  const browser = await startBrowser();
  const page = await open(`${platform.viewerUrl}/?try=1`, await browser.newContext());
  const call = toolsOf(page);

  await expect.poll(async () => (await page.webmcp.tools()).length).toBe(TOOLS.length);
  const names = (await page.webmcp.tools()).map(({ name }) => name);
  expect(names.sort()).toEqual(TOOLS.map(({ name }) => name).sort());

  const status = await call('robot_status');
  expect(status.isError).toBe(false);
  expect(status.structuredContent).toMatchObject({ status: 'ready', profile: 'simulator', driver: null });

  const invalid = await call('go_to', { to: 7 });
  expect(invalid.isError).toBe(true);
  expect(invalid.structuredContent).toMatchObject({ code: 'INVALID_INPUT' });

  const { x, y } = (status.structuredContent as { pose: { x: number; y: number } }).pose;
  const arrived = await call('go_to', { to: { x: x + 0.3, y } });
  expect(arrived.structuredContent).toMatchObject({ status: 'done' });

  const picture = await call('take_picture', { width: 320 });
  expect(picture.isError).toBe(false);
  expect(picture.content.map(({ type }) => type)).toEqual(['image', 'text']);
  expect(picture.content[0]).toMatchObject({ mimeType: 'image/jpeg', data: expect.stringMatching(/^\/9j\//) });
  expect(picture).not.toHaveProperty('structuredContent');

  const walk = call('drive', { vx: 0.3, seconds: 10 });
  await expect.poll(async () => (await call('robot_status')).structuredContent?.moving).toBe(true);
  const stopped = await call('stop');
  expect(stopped.structuredContent).toMatchObject({ status: 'done', at_rest: true });
  expect((await walk).structuredContent).toMatchObject({ status: 'failed', code: 'CANCELLED' });
  await browser.close();
});

test('the page of a robot in a room shows that an agent in the browser drives, and its person takes over and gives it back', async ({
  open,
  robot,
}) => {
  const browser = await startBrowser();
  const page = await open(await robot.keyUrl(), await browser.newContext());
  const call = toolsOf(page);
  await expect.poll(async () => (await page.webmcp.tools()).length).toBe(TOOLS.length);

  expect((await call('control', { do: 'take' })).structuredContent).toMatchObject({ you_drive: true });
  const notice = page.getByTestId('driver');
  await expect(notice).toContainText('The agent “Agent in the browser” drives.');
  await notice.getByRole('button', { name: 'Take over' }).click();
  await expect(notice).toContainText('You drive.');

  const rejected = await call('drive', { vx: 0.3, seconds: 1 });
  expect(rejected.structuredContent).toMatchObject({ code: 'NOT_CONTROLLER', driver: { is_you: false } });

  expect((await call('control', { do: 'ask' })).structuredContent).toMatchObject({ you_drive: false });
  await expect(notice).toContainText('The agent “Agent in the browser” asks for the robot.');
  await notice.getByRole('button', { name: 'Give it' }).click();
  await expect(notice).toContainText('The agent “Agent in the browser” drives.');
  const driven = await call('drive', { vx: 0.3, seconds: 0.5 });
  expect(driven.structuredContent).toMatchObject({ status: 'done', driver: { is_you: true } });
  await browser.close();
});
