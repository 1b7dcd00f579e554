/** The link that other tests put before an SFU has the stated effects on a real SFU. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dispose as disposeLiveKit, Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { createOneWay, GOOD_LINK, type LinkConditions } from './pipe.ts';
import { type SfuLink, type SfuLinkOptions, startSfuLink } from './sfu-link.ts';

let sfu: Sfu;
const CALL = { destinationIdentity: 'behind', method: 'echo', payload: 'hello' };
/** An answer over a good link comes far sooner, also on a busy machine. */
const WAITS_MS = 10_000;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  sfu = await startSfu({ port: 0 });
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await sfu?.stop();
  await disposeLiveKit();
});

async function join(url: string, identity: string): Promise<Room> {
  const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: 600 });
  token.addGrant({ roomJoin: true, room: 'linked', canPublishData: true, canSubscribe: true });
  const room = new Room();
  await room.connect(url, await token.toJwt(), { autoSubscribe: false, dynacast: false });
  ends.push(() => room.disconnect());
  return room;
}

/** Joins a participant behind a link that answers calls, and a participant without the link that calls it. */
async function roomOverLink(options?: SfuLinkOptions): Promise<{ link: SfuLink; call: () => Promise<string> }> {
  const link = await startSfuLink(sfu.url, options);
  ends.push(() => link.close());
  const [behind, beside] = [await join(link.url, 'behind'), await join(sfu.url, 'beside')];
  behind.localParticipant?.registerRpcMethod('echo', async ({ payload }) => payload);
  const call = async (): Promise<string> =>
    (await beside.localParticipant?.performRpc({ ...CALL, responseTimeout: WAITS_MS })) ?? '';
  return { link, call };
}

describe('over a real SFU', () => {
  it.each(['udp', 'tcp'] as const)('all traffic of a participant passes through the link, over %s', async (media) => {
    const { link, call } = await roomOverLink({ media });
    expect(await call()).toBe('hello');
    link.set({ silent: 'both' });
    const { carried } = link.counts['to-sfu'];
    const answer = call();
    // If the participant had another path to the SFU, it would answer over that.
    expect(await Promise.race([answer, sleep(1_000, 'none')])).toBe('none');
    expect(link.counts['to-sfu'].carried).toBe(carried);
    link.set({ silent: 'neither' });
    expect(await answer).toBe('hello');
  });

  it('a slow link makes a call slow', async () => {
    const { link, call } = await roomOverLink();
    await call();
    link.set({ delayMs: 300 });
    const askedAtMs = performance.now();
    expect(await call()).toBe('hello');
    expect(performance.now() - askedAtMs).toBeGreaterThan(590);
  });
});

describe('one way of it', () => {
  const wayWith = (conditions: Partial<LinkConditions>, chance = () => 0.5) => {
    const live = { ...GOOD_LINK, ...conditions };
    return { live, way: createOneWay('to-sfu', () => live, chance) };
  };

  it('a lossy link loses its share of datagrams, and never data of TCP', () => {
    let drawn = 0;
    const { way } = wayWith({ lossRatio: 0.2 }, () => {
      drawn += 1;
      return (drawn % 10) / 10;
    });
    for (let sent = 0; sent < 100; sent += 1) way.datagram(100, () => undefined);
    expect(way.counts).toEqual({ carried: 80, lost: 20 });
    way.close();
  });

  it('a silent link loses datagrams and keeps data of TCP in order', () => {
    const { way, live } = wayWith({ silent: 'to-sfu' });
    const arrived: string[] = [];
    const stream = way.stream();
    way.datagram(10, () => arrived.push('datagram'));
    stream.carry(10, () => arrived.push('one'));
    stream.carry(10, () => arrived.push('two'));
    expect(arrived).toEqual([]);
    live.silent = 'from-sfu';
    way.changed();
    expect(arrived).toEqual(['one', 'two']);
  });

  it('a link drops datagrams that would wait too long in its queue', () => {
    const { way } = wayWith({ bytesPerSecond: 1_000 });
    for (let sent = 0; sent < 100; sent += 1) way.datagram(100, () => undefined);
    // 2 s of the rate are 20 datagrams, and one is being sent.
    expect(way.counts.carried).toBe(21);
    way.close();
  });
});
