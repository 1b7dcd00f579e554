/** The room in a real page, against a real SFU. */
import { Room } from '@livekit/rtc-node';
import { DataPacket_Kind } from 'livekit-server-sdk';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readRoomEvent } from '../../src/protocol/room/room-events.ts';
import { encodeRoomKey, NEW_LINK } from '../../src/protocol/room/room-key.ts';
import { isJoin, joinsOf } from './joins.ts';
import { admin, browser, contexts, joinAs, keyFor, nextRoom, openPage, sfu, siteUrl, token, untilState } from './real-pages.ts';

describe('calls and pictures', () => {
  it('answers every method from the first moment, by name of the caller', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    const { call } = await joinAs(room, 'client-1');
    for (const method of ['runtime.tools_list', 'runtime.state', 'runtime.forward_envelope']) {
      expect(JSON.parse(await call(method, {}))).toMatchObject({ method, callerIdentity: 'client-1' });
    }
    await page.waitForFunction(() => harness.participants.length === 2);
    const people = await page.evaluate(() => harness.participants);
    expect(people).toMatchObject([
      { identity: 'simplesim:r1', name: 'Name of simplesim:r1', isSelf: true },
      { identity: 'client-1', name: 'Name of client-1', isSelf: false },
    ]);
    expect(Math.abs((people[1]?.joinedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
    await expect(call('runtime.fly', {})).rejects.toThrow(/not supported/i);
  });

  it('a page is a publisher without a track, which the server announces to the others at once', async () => {
    const room = nextRoom();
    await openPage(await keyFor(room));
    await expect
      .poll(() => admin.getParticipant(room, 'simplesim:r1'))
      .toMatchObject({ isPublisher: true, tracks: [], dataTracks: [] });
  });

  it('sends events to all in the room, and learns whose session ended, also when another has the same name', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    const reported: [string, string][] = [];
    const listeners = await Promise.all(['client-1', 'client-2'].map((identity) => joinAs(room, identity)));
    for (const { client } of listeners) {
      client.on('dataReceived', (bytes, from, _kind, topic) => {
        if (topic === 'simplesim.events') reported.push([String(from?.identity), new TextDecoder().decode(bytes)]);
      });
    }
    await page.waitForFunction(() => harness.participants.length === 3);
    await page.evaluate(() => harness.sendEvent({ type: 'emergency_stop', at_ms: 7, emergency_stop: null }));
    await expect.poll(() => reported.length).toBe(2);
    for (const [from, text] of reported) {
      expect(from).toBe('simplesim:r1');
      expect(readRoomEvent(text)).toEqual({ type: 'emergency_stop', at_ms: 7, emergency_stop: null });
    }
    await page.evaluate(() => harness.left.splice(0));
    // The second participant with this name displaces the first: it is another session, which inherits nothing.
    await joinAs(room, 'client-1');
    await page.waitForFunction(() => harness.left.includes('client-1'));
    expect(await page.evaluate(() => harness.left)).not.toContain('client-2');
    await listeners[1]?.client.disconnect();
    await page.waitForFunction(() => harness.left.includes('client-2'));
  });

  it('keeps internal errors from callers, and sends no partial reply', async () => {
    const room = nextRoom();
    await openPage(await keyFor(room));
    const { call } = await joinAs(room, 'client-1');
    const failed = await call('runtime.state', { fail: true });
    expect(JSON.parse(failed)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL' } });
    expect(failed).not.toContain('secret');
    expect(JSON.parse(await call('runtime.state', { bytes: 14_000 })).filler).toHaveLength(14_000);
    expect(JSON.parse(await call('runtime.state', { bytes: 16_000 }))).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('rejects a call that is small in transit and huge when decompressed, before it decompresses the call', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    const { call } = await joinAs(room, 'client-1');
    // LiveKit’s code for a request that the receiver could not read.
    await expect(call('runtime.state', { pad: 'a'.repeat(8_000_000) })).rejects.toMatchObject({ code: 1500 });
    expect(JSON.parse(await call('runtime.state', {}))).toMatchObject({ method: 'runtime.state' });
    expect(await page.evaluate(() => harness.calls)).toBe(1);
  });

  it.each([3, 20_000, 300_000])(
    'sends a picture of %i bytes to its caller alone, closed before the reply',
    async (pictureBytes) => {
      const room = nextRoom();
      await openPage(await keyFor(room));
      const [one, two] = [await joinAs(room, 'client-1'), await joinAs(room, 'client-2')];
      const reply = JSON.parse(await one.call('runtime.cameras_capture', { pictureBytes }));
      const [reader] = one.streams;
      expect(reader?.info).toMatchObject({ name: reply.requestId, attributes: { request_id: reply.requestId, camera: 'pov' } });
      const bytes = Buffer.concat((await reader?.readAll()) ?? []);
      expect(bytes.length).toBe(pictureBytes);
      expect(bytes.every((value, index) => value === index % 251)).toBe(true);
      expect(two.streams).toHaveLength(0);
    },
  );

  it('sends its picture to a caller that left and came back, even before the server announces the caller', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    const before = await joinAs(room, 'client-1');
    await page.waitForFunction(() => harness.participants.length === 2);
    await before.client.disconnect();
    await page.waitForFunction(() => harness.participants.length === 1);
    const again = await joinAs(room, 'client-1');
    const reply = JSON.parse(await again.call('runtime.cameras_capture', { pictureBytes: 3 }));
    expect(reply.error).toBeUndefined();
    await expect.poll(() => again.streams.map(({ info }) => info.name)).toEqual([reply.requestId]);
  });
});

describe('viewers', () => {
  it('viewers are recognised by their attributes alone, and receive what the tab shows', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    await joinAs(room, 'client-1');
    const watcher = new Room();
    const shown: { topic: string | undefined; identity: string | undefined; bytes: number[] }[] = [];
    watcher.on('dataReceived', (bytes, participant, _kind, topic) => {
      shown.push({ topic, identity: participant?.identity, bytes: [...bytes] });
    });
    const watch = await token(room, 'watcher-1', sfu.apiSecret, 600, { 'simplesim.access': 'watch' });
    await watcher.connect(sfu.url, watch, { autoSubscribe: false, dynacast: false });
    await page.waitForFunction(() => harness.watchers.at(-1)?.present);
    expect(await page.evaluate(() => harness.watchers)).toEqual([
      { present: false, isNew: false, isComing: false },
      { present: true, isNew: true, isComing: false },
    ]);
    await page.evaluate(() => harness.show([1, 2, 3]));
    await expect.poll(() => shown).toEqual([{ topic: 'simplesim.world', identity: 'simplesim:r1', bytes: [1, 2, 3] }]);
    await watcher.disconnect();
    await page.waitForFunction(() => harness.watchers.at(-1)?.present === false);
  });

  it('viewers are announced by the platform', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    await admin.sendData(room, new Uint8Array(), DataPacket_Kind.RELIABLE, { topic: 'simplesim.watch' });
    await page.waitForFunction(() => harness.watchers.at(-1)?.isComing);
  });
});

describe('the end of a visit', () => {
  it('reports that the session was deleted, and does not create the room again', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    await admin.deleteRoom(room);
    expect(await untilState(page, 'ended')).toMatchObject({ reason: 'session_deleted', canRetry: false });
    expect(await admin.listRooms([room])).toEqual([]);
  });

  it('reports that it was removed', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    await admin.removeParticipant(room, 'simplesim:r1');
    expect(await untilState(page, 'ended')).toMatchObject({ reason: 'removed' });
  });

  it('P15: a tab elsewhere takes the robot over, and the first tab reports this', async () => {
    const key = await keyFor(nextRoom());
    const first = await openPage(key);
    const second = await openPage(key);
    expect(await untilState(first.page, 'ended')).toMatchObject({ reason: 'taken_over', canRetry: true });
    expect(await untilState(second.page, 'connected')).toEqual({ kind: 'connected' });
  });

  it('P15: of two browsers that open one key at the same moment, one is the robot, and the other does not rejoin', async () => {
    const key = await keyFor(nextRoom());
    const pages = await Promise.all(
      [0, 1].map(async () => {
        const context = await browser.newContext();
        contexts.push(context);
        const page = await context.newPage();
        const joins = joinsOf(page);
        await page.goto(siteUrl);
        return { page, joins };
      }),
    );
    await Promise.all(pages.map(({ page }) => page.evaluate((pasted) => harness.join(pasted, false), key)));
    const kinds = () => Promise.all(pages.map(({ page }) => page.evaluate(() => harness.states.at(-1)?.kind)));
    await expect.poll(async () => (await kinds()).sort(), { timeout: 60_000 }).toEqual(['connected', 'ended']);
    for (const { page, joins } of pages) {
      const states = await page.evaluate(() => harness.states);
      // A page that was displaced before the server answered knows of no join that it lost, so it may join again.
      expect(joins.slice(0, -1), JSON.stringify(states)).not.toContainEqual({ isAnswered: true });
      if (states.at(-1)?.kind === 'ended') expect(states.at(-1)).toMatchObject({ reason: 'taken_over' });
    }
  });

  it.each([
    { when: 'while it is the robot', heardMax: Number.POSITIVE_INFINITY },
    { when: 'in the middle of its join', heardMax: 1 },
  ])('P15: a tab that is displaced $when, and does not learn of it, does not rejoin', async ({ heardMax }) => {
    const key = await keyFor(nextRoom());
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    let isDeaf = false;
    const connections: string[] = [];
    let heard = 0;
    await page.routeWebSocket(/\/rtc/, (route) => {
      const isFirst = connections.push(route.url()) === 1;
      const server = route.connectToServer();
      server.onMessage((message) => {
        if (isFirst && (isDeaf || heard >= heardMax)) return;
        if (isFirst) heard += 1;
        route.send(message);
      });
      server.onClose(() => void route.close({ code: 3_000 }));
    });
    await page.goto(siteUrl);
    await page.evaluate((pasted) => harness.join(pasted, false), key);
    if (heardMax === 1) await expect.poll(() => heard).toBe(1);
    else await untilState(page, 'connected');
    isDeaf = true;
    const winner = await openPage(key);
    await expect
      .poll(() => page.evaluate(() => harness.states), { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ kind: 'ended', reason: 'taken_over', canRetry: true }));
    const kindsOf = (tab: Page) => tab.evaluate(() => harness.states.map(({ kind }) => kind));
    expect((await kindsOf(page)).filter((kind) => kind === 'connected')).toHaveLength(heardMax === 1 ? 0 : 1);
    await untilState(winner.page, 'connected');
    expect(await kindsOf(winner.page)).not.toContain('ended');
    const [first, ...later] = connections.map(isJoin);
    expect(first).toBe(true);
    expect(later).toContain(false);
    expect(later).not.toContain(true);
  });

  it('P15: a second tab of the same browser is informed first, and may take over', async () => {
    const key = await keyFor(nextRoom());
    const first = await openPage(key);
    const second = await openPage(key, { context: first.context, expected: 'ended' });
    expect(await untilState(second.page, 'ended')).toMatchObject({ reason: 'held_elsewhere', canRetry: true });
    expect(await untilState(first.page, 'connected')).toEqual({ kind: 'connected' });
    await second.page.evaluate((pasted) => harness.join(pasted, true), key);
    await untilState(second.page, 'connected');
    expect(await untilState(first.page, 'ended')).toMatchObject({ reason: 'taken_over' });
  });

  it('a reload joins again without asking', async () => {
    const key = await keyFor(nextRoom());
    const { page } = await openPage(key);
    await page.reload();
    await page.evaluate((pasted) => harness.join(pasted, false), key);
    await untilState(page, 'connected');
    expect(await page.evaluate(() => harness.states.map(({ kind }) => kind))).toEqual(['joining', 'connected']);
  });

  it('a key with a bad signature is reported in a sentence, and no part of it is in the console', async () => {
    const key = await keyFor(nextRoom(), 'another-secret-another-secret-another-secret');
    const { page, said } = await openPage(key, { expected: 'ended' });
    expect(await untilState(page, 'ended')).toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(NEW_LINK),
    });
    expect(said.join('\n')).not.toContain(key.split('.')[1]);
    expect(said.join('\n')).not.toContain(key.split('.')[2]);
  });

  it('a page that leaves is gone from the room at once', async () => {
    const room = nextRoom();
    const { page } = await openPage(await keyFor(room));
    const { client } = await joinAs(room, 'client-1');
    const gone = new Promise((resolve) => client.once('participantDisconnected', ({ identity }) => resolve(identity)));
    await page.evaluate(() => harness.leave());
    expect(await gone).toBe('simplesim:r1');
    expect(await untilState(page, 'ended')).toMatchObject({ reason: 'left' });
  });
});

describe('the key of a visit', () => {
  it('a key is extended by the room, and the extended key opens the room for another page', async () => {
    const room = nextRoom();
    const short = await token(room, 'simplesim:r1', sfu.apiSecret, 120);
    const { page } = await openPage(encodeRoomKey({ sfuUrl: sfu.url, token: short }));
    // The server issues a new token every five minutes, and whenever its data about the participant changes.
    await admin.updateParticipant(room, 'simplesim:r1', { metadata: 'changed' });
    await page.waitForFunction(() => harness.keys.length > 0);
    const longer = (await page.evaluate(() => harness.keys.at(-1))) ?? '';
    const expiryS = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).exp as number;
    expect(expiryS(longer)).toBeGreaterThan(expiryS(short) + 60);
    const { page: other } = await openPage(longer);
    await untilState(page, 'ended', 'taken_over');
    expect(await other.evaluate(() => harness.participants.length)).toBe(1);
  });
});
