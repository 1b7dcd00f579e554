/** The gate: what a person sees with a good key, a bad one, an old one. */
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = { sub: 'simplesim:r1', exp: 4_000_000_000, video: { room: 'r', roomJoin: true, canPublishData: true } };
const jwt = (change: Record<string, unknown> = {}) => `${encode({ alg: 'HS256' })}.${encode({ ...claims, ...change })}.c2ln`;
const key = (url: string, token: string) => `k1~${Buffer.from(url).toString('base64url')}~${token}`;

const refusals = (): [what: string, pasted: string, sentence: RegExp][] => [
  ['not a key', 'hello', /not a room key/],
  ['unknown version', key('ws://127.0.0.1:1', jwt()).replace('k1', 'k9'), /version k9/],
  ['damaged', 'k1~d3M6', /cut off/],
  ['not a WebSocket address', key('https://x.example', jwt()), /does not begin with ws: or wss:/],
  ['token not a JWT', key('ws://127.0.0.1:1', 'abc'), /part of this room key cannot be read/],
  ['no room grant', key('ws://127.0.0.1:1', jwt({ video: {} })), /does not open a room/],
  [
    'no publish-data grant',
    key('ws://127.0.0.1:1', jwt({ video: { room: 'r', roomJoin: true, canPublishData: false } })),
    /no publish-data grant/,
  ],
  ['not yet valid', key('ws://127.0.0.1:1', jwt({ nbf: 3_900_000_000 })), /becomes valid/],
  [
    'expired',
    key('ws://127.0.0.1:1', jwt({ exp: Math.ceil(Date.now() / 1000) - 1195 })),
    /This key expired 20 minutes ago\. Get a new link: .*“npm run link” prints one; otherwise ask the person/,
  ],
  ['not a runtime', key('ws://127.0.0.1:1', jwt({ sub: 'someone' })), /for a program or a guest in the room/],
];

test('a bad key is refused with a sentence, and a good one pasted after it opens the robot', async ({
  robot,
  platform,
  open,
}) => {
  const page = await open(platform.viewerUrl);
  const field = page.getByRole('textbox', { name: /room key/i });
  await expect(field).toBeVisible();
  for (const [what, pasted, sentence] of refusals()) {
    await test.step(what, async () => {
      await field.fill(pasted);
      await field.press('Enter');
      await expect(page.getByRole('alert')).toHaveText(sentence);
    });
  }
  await field.fill(`  "${await robot.key()}"\n`);
  await field.press('Enter');
  const caller = await robot.join();
  await caller.ready();
  await expect(page.getByText('Ready', { exact: true }).first()).toBeVisible();
});

test('the key leaves the address bar and the history, is kept from the page, and a reload rejoins', async ({ robot, open }) => {
  const url = await robot.keyUrl();
  const token = url.split('~')[2] ?? '';
  const page = await open(url);
  expect(page.url()).not.toContain('k1~');
  const caller = await robot.join();
  await caller.ready();
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  expect(await page.content()).not.toContain(token.slice(-20));
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(token.slice(-20));
  const before = await caller.invoke('set_head', { yaw: 0.3 }, { action_id: 'before-reload' });
  await page.reload();
  await caller.ready();
  expect(page.url()).not.toContain('k1~');
  expect(await caller.call('runtime.action', { action_id: 'before-reload' })).toEqual(before);
});
