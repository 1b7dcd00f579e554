/** The room in a real page with a real SFU: temporary losses of the connection, and how soon they are reported and repaired. */
import { describe, expect, it } from 'vitest';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { ROOM_STALE_AFTER_MS } from '../../src/protocol/wire/limits.ts';
import { SILENT_FOR_LONG } from '../../src/room/disconnects.ts';
import { askOverLosses } from '../sfu-link/ask-over-losses.ts';
import { startSfuLink } from '../sfu-link/sfu-link.ts';
import { admin, joinAs, keyFor, nextRoom, openPage, sfu, token, untilState } from './real-pages.ts';

describe('the return to a room', () => {
  it('P13: a page that the browser froze, and LiveKit took out of the room, is back within 5 s of resuming', async () => {
    const room = nextRoom();
    const openedAtMs = Date.now();
    const { page } = await openPage(await keyFor(room));
    const openingMs = Date.now() - openedAtMs;
    const { client, call } = await joinAs(room, 'client-1');
    const gone = new Promise((resolve) => client.once('participantDisconnected', resolve));
    // The events of a freeze; a page that is really frozen could not leave in time for a test.
    await page.evaluate(() => document.dispatchEvent(new Event('freeze', { bubbles: true })));
    await gone;
    await untilState(page, 'rejoining');
    const back = new Promise((resolve) => client.once('participantConnected', resolve));
    const resumedAtMs = Date.now();
    await page.evaluate(() => document.dispatchEvent(new Event('resume', { bubbles: true })));
    await untilState(page, 'connected');
    await back;
    expect(JSON.parse(await call('runtime.state', {}))).toMatchObject({ callerIdentity: 'client-1' });
    // A machine on which opening the page takes longer than that is too busy to be judged by the promise’s own figure.
    expect(Date.now() - resumedAtMs).toBeLessThan(Math.max(5_000, openingMs));
  });

  it('P15: a frozen page that another replaced meanwhile leaves the robot to it', async () => {
    const key = await keyFor(nextRoom());
    const { page } = await openPage(key);
    await page.evaluate(() => document.dispatchEvent(new Event('freeze', { bubbles: true })));
    await untilState(page, 'rejoining');
    const winner = await openPage(key);
    await page.evaluate(() => document.dispatchEvent(new Event('resume', { bubbles: true })));
    expect(await untilState(page, 'ended')).toMatchObject({ reason: 'taken_over', canRetry: true });
    expect(await winner.page.evaluate(() => harness.states.map(({ kind }) => kind))).not.toContain('ended');
    await untilState(winner.page, 'connected');
  });

  it('a page rejoins after the SFU was killed, reports this meanwhile, and answers each call once', async () => {
    const room = nextRoom();
    const key = await keyFor(room);
    const { page } = await openPage(key);
    if (sfu.pid === null) throw new Error('no process to kill');
    process.kill(sfu.pid, 'SIGKILL');
    // The SFU that comes back knows no room; the platform makes it again.
    await page.waitForFunction(
      () => harness.states.some((state) => state.kind === 'rejoining' && state.reason.includes('The room is not there')),
      undefined,
      { timeout: 60_000 },
    );
    await admin.createRoom({ name: room });
    await untilState(page, 'connected', undefined, 60_000);
    const { call } = await joinAs(room, 'client-2');
    const before = await page.evaluate(() => harness.calls);
    expect(JSON.parse(await call('runtime.state', {}))).toMatchObject({ callerIdentity: 'client-2' });
    expect(await page.evaluate(() => harness.calls)).toBe(before + 1);
  }, 90_000);
});

describe('a room that falls silent', () => {
  it('a silent room is reported long before LiveKit notices, and so is its return', async () => {
    const { page } = await openPage(await keyFor(nextRoom()));
    if (sfu.pid === null) throw new Error('no process to stop');
    process.kill(sfu.pid, 'SIGSTOP');
    try {
      await untilState(page, 'silent');
    } finally {
      process.kill(sfu.pid, 'SIGCONT');
    }
    await untilState(page, 'connected');
    expect(await page.evaluate(() => harness.states.map(({ kind }) => kind))).toEqual([
      'joining',
      'connected',
      'silent',
      'connected',
    ]);
    expect(await page.evaluate(() => harness.reach)).toEqual([null, 'silent', null]);
  });

  it('a room that is silent for long is joined again, because messages that the server still repeats would arrive too late', async () => {
    const room = nextRoom();
    const link = await startSfuLink(sfu.url);
    try {
      const { page } = await openPage(encodeRoomKey({ sfuUrl: link.url, token: await token(room, 'simplesim:r1') }));
      const { call } = await joinAs(room, 'client-1');
      link.set({ silent: 'from-sfu' });
      const lost = call('runtime.state', {}).catch((error: unknown) => error);
      // The silence is under test: the page learns its length only when something arrives again.
      await new Promise((resolve) => setTimeout(resolve, ROOM_STALE_AFTER_MS + 500));
      link.set({ silent: 'neither' });
      await page.waitForFunction((why) => {
        const left = harness.states.findIndex((state) => state.kind === 'rejoining' && state.reason === why);
        return left >= 0 && harness.states.slice(left).some(({ kind }) => kind === 'connected');
      }, SILENT_FOR_LONG);
      await call('runtime.state', {});
      expect(await lost).toBeInstanceOf(Error);
    } finally {
      await link.close();
    }
  });

  it('a slow connection does not count as silence, not even behind a large picture, and neither does packet loss', async () => {
    const room = nextRoom();
    const link = await startSfuLink(sfu.url);
    try {
      const { page } = await openPage(encodeRoomKey({ sfuUrl: link.url, token: await token(room, 'simplesim:r1') }));
      const { call } = await joinAs(room, 'client-1');
      link.set({ delayMs: 300, bytesPerSecond: 125_000 });
      await call('runtime.cameras_capture', { pictureBytes: 300_000 });
      link.set({ delayMs: 20, bytesPerSecond: Number.POSITIVE_INFINITY, lossRatio: 0.2 });
      await askOverLosses(4, () => call('runtime.state', {}));
      expect(await page.evaluate(() => harness.states.map(({ kind }) => kind))).toEqual(['joining', 'connected']);
    } finally {
      await link.close();
    }
  });
});
