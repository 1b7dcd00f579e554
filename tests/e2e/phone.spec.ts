/** A phone in the network: from the computer's page by the code to a robot on the phone, over the address that a phone has. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { Client, connect } from '../../src/client/index.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { lanAddress } from '../launch/helpers/lan-address.ts';
import { test as base, expect } from './support/fixtures.ts';

/** A platform that serves phones, beside the one of all tests. */
const test = base.extend<object, { lanPlatform: Platform }>({
  lanPlatform: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'simplesim-phone-'));
      await layDatabase(dataDir);
      const env = { ...process.env, SIMPLESIM_SFU_PORT: '0' };
      const platform = await startPlatform({ port: 0, lan: lanAddress(), dataDir, env });
      await use(platform);
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

test.use({ picture: false });

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Open on a phone' }).click();
  return page.getByRole('dialog', { name: 'Open on a phone' });
}

test('a phone opens the robot by the code of the computer’s page, and programs of the computer drive it there', async ({
  lanPlatform,
  open,
  browser,
}) => {
  const lan = lanPlatform.lan;
  if (!lan) throw new Error('no phone reaches it');
  const desktop = await open(lanPlatform.roomKeyUrl);
  await expect(desktop.locator('[data-phase=live]')).toBeVisible();
  const dialog = await openDialog(desktop);
  await expect(dialog.getByText('Connect the phone to the same network as this computer')).toBeVisible();
  await expect(dialog.getByText('The browser warns that the connection is not private')).toBeVisible();
  await expect(dialog.getByText(lan.fingerprint)).toBeVisible();
  await expect(dialog.getByText(`${lan.pageUrl}/certificate.crt`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Show the code' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  expect((await new AxeBuilder({ page: desktop }).include('[role=dialog]').analyze()).violations).toEqual([]);
  await desktop.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  await expect(dialog.getByText('Copied')).toBeVisible();
  const link = await desktop.evaluate(() => navigator.clipboard.readText());
  expect(link.startsWith(`${lan.pageUrl}/#key=k1~`)).toBe(true);

  const phone = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 390, height: 844 }, hasTouch: true });
  // To a phone the loopback address is its own: of the SFU's addresses only the one in the network is left.
  await phone.addInitScript(() => {
    const ofSfu: string[] = [];
    Object.assign(window, { ofSfu });
    const connection = RTCPeerConnection.prototype;
    const addIceCandidate = connection.addIceCandidate as (this: RTCPeerConnection, candidate: unknown) => Promise<void>;
    const setRemoteDescription = connection.setRemoteDescription as (
      this: RTCPeerConnection,
      description: unknown,
    ) => Promise<void>;
    const isFar = (candidate: string) => !candidate.includes('127.0.0.1');
    connection.addIceCandidate = async function (candidate?: RTCIceCandidateInit | null) {
      if (!isFar(candidate?.candidate ?? '')) return;
      ofSfu.push(candidate?.candidate ?? '');
      await addIceCandidate.call(this, candidate);
    };
    connection.setRemoteDescription = async function (description: RTCSessionDescriptionInit) {
      const lines = (description.sdp ?? '').split('\r\n').filter((line) => !line.startsWith('a=candidate') || isFar(line));
      await setRemoteDescription.call(this, { type: description.type, sdp: lines.join('\r\n') });
    };
  });
  const page = await open(link, phone);
  await expect(page.getByRole('heading', { name: 'Another page is this robot' })).toBeVisible();
  await page.getByRole('button', { name: 'Take over here' }).click();
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  await expect(desktop.locator('[data-phase=ended]')).toBeVisible();
  expect(await page.evaluate(() => [window.isSecureContext, location.hash, location.protocol])).toEqual([true, '', 'https:']);

  const client = new Client({ rcsUrl: lanPlatform.rcsUrl, apiKey: lanPlatform.apiKey });
  const session = await connect(client, lanPlatform.robotId, { workerNames: [], keepSession: false });
  await session.waitUntilReady();
  const picked = await session.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube' } });
  expect(picked.status, JSON.stringify(picked)).toBe('done');
  const picture = await session.getVision('pov', { width: 64, height: 36 });
  expect(picture.jpeg.length).toBeGreaterThan(500);
  const candidates = await page.evaluate(() => (window as unknown as { ofSfu: string[] }).ofSfu);
  expect(candidates.some((each) => each.includes(` ${new URL(lan.pageUrl).hostname} `))).toBe(true);

  // A program's end takes the session with it; the page on the phone comes back automatically, as one on the computer does.
  await session.disconnect();
  const next = await connect(client, lanPlatform.robotId, { workerNames: [] });
  await next.waitUntilReady();
  expect((await next.invoke('set_head', { yaw: 0.2 })).status).toBe('done');
  await next.disconnect();

  const onPhone = await openDialog(page);
  await expect(onPhone.getByRole('button', { name: 'Show the code' })).toBeVisible();
  await page.keyboard.press('Escape');
  await phone.close();
});
