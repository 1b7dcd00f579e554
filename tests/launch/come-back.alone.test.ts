import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findCaller } from '../../src/control-service/accounts.ts';
import type { Caller } from '../../src/control-service/caller.ts';
import { deleteSession } from '../../src/control-service/operations/sessions.ts';
import { keyToComeBack, type OwnRobot } from '../../src/launch/come-back.ts';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { SFU_KEY } from '../control-service/helpers/fake-sfu.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';

let service: TestService;
let own: OwnRobot;

beforeAll(async () => {
  service = await startTestService();
  await service.reset();
  const caller = (await findCaller(service.deps.db, service.clock.nowMs(), service.keys[0])) as Caller;
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  own = { deps: service.deps, caller, robotId: created.body.result.id, sfuKey: SFU_KEY };
}, 120_000);
afterAll(() => service.close());

interface TokenFacts {
  identity?: string;
  room?: string;
  secret?: string;
  issuer?: string;
  ttlS?: number;
  /** Data of a participant, as in tokens that the SFU issues. */
  kind?: string;
}

/** A token as the platform issued it for an earlier session. */
const earlier = ({ identity, room, secret = SFU_KEY.apiSecret, issuer = SFU_KEY.apiKey, ttlS = 3_600, kind }: TokenFacts = {}) =>
  new SignJWT({ kind, video: { room: room ?? `robot-${own.robotId}-0123456789ab`, roomJoin: true } })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject(identity ?? `simplesim:${own.robotId}`)
    .setExpirationTime(Math.floor(service.clock.nowMs() / 1000) + ttlS)
    .sign(new TextEncoder().encode(secret));

const read = (key: string | null) => readRoomKey(key ?? '', { nowMs: service.clock.nowMs(), pageProtocol: 'http:' });

const endOf = (given: ReturnType<typeof read>): number => (given.ok && decodeJwt(given.key.token).exp) || 0;
const secondsLeft = (given: ReturnType<typeof read>) => endOf(given) - service.clock.nowMs() / 1000;

describe('the robot of a session that has ended', () => {
  it.each(['simplesim:', 'rcw-'])('the robot of an ended session gets a key of a new session, as %s', async (begin) => {
    await deleteSession(own.deps, own.caller, own.robotId);
    const identity = `${begin}${own.robotId}`;
    const given = read(await keyToComeBack(own, await earlier({ identity })));
    expect(given).toMatchObject({ ok: true, key: { identity, robotId: own.robotId } });
    // A second request gets a key of the same session.
    const again = read(await keyToComeBack(own, await earlier({ identity })));
    expect(again.ok && given.ok && again.key.room === given.key.room).toBe(true);
  });

  it('a returning robot of the network keeps the end of its first key, however often it returns; on this machine it gets 4 h', async () => {
    const fromNetwork = (token: string) => keyToComeBack(own, token, 'wss://192.168.1.7:8080');
    const first = read(await fromNetwork(await earlier({ ttlS: 1_000 })));
    service.clock.advanceMs(600_000);
    // The time in transit does not matter either.
    const makeRoom = service.deps.sfu.ensureRoom;
    const slow = vi.spyOn(service.deps.sfu, 'ensureRoom').mockImplementation((...room) => {
      service.clock.advanceMs(7_000);
      return makeRoom.apply(service.deps.sfu, room);
    });
    const second = read(await fromNetwork(first.ok ? first.key.token : ''));
    expect(slow).toHaveBeenCalled();
    slow.mockRestore();
    expect(endOf(second)).toBe(endOf(first));
    expect(secondsLeft(second)).toBeLessThan(400);
    expect(secondsLeft(read(await keyToComeBack(own, second.ok ? second.key.token : '')))).toBe(4 * 3_600);
    service.clock.advanceMs(400_000);
    await deleteSession(own.deps, own.caller, own.robotId);
    expect(await fromNetwork(second.ok ? second.key.token : '')).toBeNull();
    expect(service.sfu.rooms.size).toBe(0);
  });
});

describe('other requests get no key, and no session is opened', () => {
  it.each<[string, () => TokenFacts]>([
    ['of another robot', () => ({ identity: 'simplesim:another', room: 'robot-another-0123456789ab' })],
    ['of another robot, in a room of this one', () => ({ identity: 'simplesim:another' })],
    ['of a client in its room', () => ({ identity: 'client:1' })],
    ['of a worker that names no robot', () => ({ identity: 'rcw-left' })],
    ['that has expired', () => ({ ttlS: -10 })],
    ['that the SFU gave to who is in the room', () => ({ kind: 'standard' })],
    ['with another secret', () => ({ secret: 'somebody else’s, which is as long as the other' })],
    ['of another key of the SFU', () => ({ issuer: 'APIother' })],
  ])('no key is issued for a token %s', async (_, reported) => {
    await deleteSession(own.deps, own.caller, own.robotId);
    expect(await keyToComeBack(own, await earlier(reported()))).toBeNull();
    expect(service.sfu.rooms.size).toBe(0);
  });

  it.each(['', 'a', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', '\u0000'])(
    'no key is issued for a text that is not a token: %j',
    async (token) => {
      expect(await keyToComeBack(own, token)).toBeNull();
    },
  );
});
