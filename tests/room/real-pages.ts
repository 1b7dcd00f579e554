/** Pages in a browser, an SFU for them, and participants in their rooms. A test file that imports this starts and ends them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ByteStreamReader, dispose as disposeLiveKit, Room } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { findBrowser } from '../../scripts/ensure-browser.ts';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import type { ConnectionState } from '../../src/room/connection-state.ts';
import type { RoomHarness } from './harness/harness.ts';

declare global {
  var harness: RoomHarness;
}

export let sfu: Sfu;
let outDir: string;
let site: PreviewServer;
export let siteUrl: string;
export let browser: Browser;
export let admin: RoomServiceClient;
export const contexts: BrowserContext[] = [];
const clients: Room[] = [];
let rooms = 0;

beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'simplesim-room-'));
  const root = join(import.meta.dirname, 'harness');
  const site_ = {
    configFile: false,
    root,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    worker: { format: 'es' },
  } as const;
  [sfu] = await Promise.all([startSfu({ port: 0, roomsOnJoin: false }), build(site_)]);
  site = await preview({ ...site_, preview: { port: 0, host: '127.0.0.1' } });
  siteUrl = site.resolvedUrls?.local[0] ?? '';
  admin = new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret);
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
}, 120_000);

afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
  for (const context of contexts.splice(0)) await context.close();
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  await sfu?.stop();
  await disposeLiveKit();
  await rm(outDir, { recursive: true, force: true });
});

export const nextRoom = (): string => {
  rooms += 1;
  return `room-${rooms}`;
};

export async function token(
  room: string,
  identity: string,
  secret = sfu.apiSecret,
  ttl = 600,
  attributes: Record<string, string> = {},
): Promise<string> {
  // On the platform a session creates the room, and joining does not.
  await admin.createRoom({ name: room });
  const access = new AccessToken(sfu.apiKey, secret, { identity, ttl, name: `Name of ${identity}`, attributes });
  access.addGrant({ room, roomJoin: true, canPublishData: true, canPublish: true, canSubscribe: true });
  return access.toJwt();
}

export const keyFor = async (room: string, secret?: string): Promise<string> =>
  encodeRoomKey({ sfuUrl: sfu.url, token: await token(room, 'simplesim:r1', secret) });

/** A page that joined, with all its console output. */
export async function openPage(
  key: string,
  options: { context?: BrowserContext; expected?: ConnectionState['kind']; takeOver?: boolean } = {},
) {
  const context = options.context ?? (await browser.newContext());
  if (!options.context) contexts.push(context);
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => said.push(`uncaught ${error.message}`));
  await page.goto(siteUrl);
  await page.evaluate(([pasted, takeOver]) => harness.join(String(pasted), takeOver === true), [
    key,
    options.takeOver ?? false,
  ] as const);
  await untilState(page, options.expected ?? 'connected');
  return { page, said, context };
}

/** Waits for the page’s connection to be in a state, and returns it. */
export async function untilState(
  page: Page,
  kind: ConnectionState['kind'],
  reason?: string,
  timeoutMs = 20_000,
): Promise<ConnectionState> {
  const handle = await page.waitForFunction(
    ([wanted, why]) => {
      const last = harness.states.at(-1);
      return last?.kind === wanted && (!why || ('reason' in last && last.reason === why)) ? last : null;
    },
    [kind, reason ?? ''] as const,
    { timeout: timeoutMs, polling: 20 },
  );
  return (await handle.jsonValue()) as ConnectionState;
}

export async function joinAs(room: string, identity: string) {
  const client = new Room();
  const streams: ByteStreamReader[] = [];
  client.registerByteStreamHandler('platform.camera_capture', (reader) => void streams.push(reader));
  await client.connect(sfu.url, await token(room, identity), { autoSubscribe: false, dynacast: false });
  clients.push(client);
  const call = async (method: string, payload: unknown): Promise<string> => {
    if (!client.localParticipant) throw new Error('not in the room');
    return client.localParticipant.performRpc({
      destinationIdentity: 'simplesim:r1',
      method,
      payload: JSON.stringify(payload),
      responseTimeout: 30_000,
    });
  };
  return { client, call, streams };
}
