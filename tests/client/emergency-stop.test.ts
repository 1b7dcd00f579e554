import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, connect, EmergencyStopError } from '../../src/client/index.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { doneReply, FakeRoom, failedReply, guardReply } from './helpers/fake-room.ts';
import { settled } from './helpers/settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LATCH = { by: 'ann', since_ms: 1, reason: 'smoke' };
const said = (stands: boolean) => ({ emergency_stop: LATCH, stands, after_ms: 300, held_entity_ids: [] });
const stood = (stands = true) => ({
  reply: stands
    ? doneReply('a-1', said(true))
    : { ...failedReply('a-1', 'NOT_AT_GOAL'), error: { code: 'NOT_AT_GOAL', message: 'It moves.', details: said(false) } },
});
const overHttp = (stands: boolean | null, problem: string | null = null) => ({
  body: {
    robot_id: 'r1',
    emergency_stop: LATCH,
    stands,
    runtimes: stands === null ? [] : [{ identity: 'simplesim:r1', stands, after_ms: 300, problem }],
  },
});
const unreachable = new TypeError('fetch failed');
type Answers = Parameters<typeof fakeFetch>;

async function sessionWith(room: FakeRoom | null, ...answers: Answers) {
  const { fetch, seen } = fakeFetch({ body: SESSION }, ...answers);
  const client = new Client({ apiKey: 'sk_live_test', rcsUrl: 'http://rcs.test/rcs', fetch });
  const options = room ? { transport: async () => room } : { joinLivekit: false };
  const session = await connect(client, 'r1', { workerNames: [], ...options });
  return { session, presses: () => seen.filter(({ url }) => url.endsWith('/v1/robots/r1/emergency-stop')) };
}

describe('session.emergencyStop', () => {
  it('an emergency stop presses over both paths at once, and returns the first answer that confirms that the robot stands', async () => {
    const room = new FakeRoom(() => stood());
    const { session, presses } = await sessionWith(room, 'never');
    const stopped = await settled(session.emergencyStop({ reason: 'smoke' }));
    expect(stopped).toMatchObject({
      by: 'room',
      paths: { room: { status: 'stands', problem: null }, http: { status: 'pending', afterMs: null } },
    });
    expect(room.of('runtime.emergency_stop')).toMatchObject([{ payload: { reason: 'smoke' } }]);
    expect(presses()).toMatchObject([{ method: 'POST', body: { reason: 'smoke' } }]);
  });

  it.each([
    ['the runtime is silent', new FakeRoom(() => 'silence')],
    ['the room lost its runtime', Object.assign(new FakeRoom(() => stood()), { present: [] })],
    ['the runtime refuses', new FakeRoom(() => ({ reply: guardReply('PERMISSION_DENIED') }))],
    ['the runtime knows no such thing', new FakeRoom(() => ({ failure: 'unsupported' as const }))],
    ['the room is not joined', null],
  ])('an emergency stop succeeds over HTTP alone if %s', async (_what, room) => {
    const { session } = await sessionWith(room, overHttp(true));
    expect(await settled(session.emergencyStop())).toMatchObject({ by: 'http', paths: { http: { status: 'stands' } } });
  });

  it('an emergency stop succeeds over the room alone if the service is unreachable, and is repeated until it answers', async () => {
    let asked = 0;
    const room = new FakeRoom(() => {
      asked += 1;
      return asked < 4 ? { failure: 'lost' as const } : stood();
    });
    const { session, presses } = await sessionWith(room, unreachable);
    expect(await settled(session.emergencyStop())).toMatchObject({ by: 'room' });
    expect(presses().length).toBeGreaterThan(1);
  });

  it('an emergency stop throws if no answer confirms that the robot stands, with the outcome of each path', async () => {
    const { session } = await sessionWith(new FakeRoom(() => stood(false)), overHttp(false, 'It still moves.'));
    const error = await settled(session.emergencyStop()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EmergencyStopError);
    expect(error).toMatchObject({
      message: expect.stringContaining('No answer confirms that the robot stands.'),
      paths: { room: { status: 'latched' }, http: { status: 'latched', problem: 'It still moves.' } },
    });
  });

  it('an emergency stop throws if no runtime exists, and reports that the stop is latched', async () => {
    const { session } = await sessionWith(null, overHttp(null));
    const error = await settled(session.emergencyStop()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ paths: { room: { status: 'failed' }, http: { status: 'latched' } } });
  });

  it('an emergency stop shows no key of the caller in its problems', async () => {
    const refusal = { status: 403, body: { code: 'x', message: 'no sk_live_test', details: { request_id: 'r' } } };
    const { session } = await sessionWith(null, refusal);
    const error = await settled(session.emergencyStop()).catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain('sk_live_test');
  });

  it('an emergency stop stops waiting at the signal, and has pressed nevertheless', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session, presses } = await sessionWith(room, 'never');
    const given = new AbortController();
    const stopping = session.emergencyStop({ signal: given.signal });
    await vi.advanceTimersByTimeAsync(10);
    given.abort(new Error('enough'));
    await expect(stopping).rejects.toThrow('enough');
    expect([room.of('runtime.emergency_stop').length, presses().length]).toEqual([1, 1]);
  });

  it('an emergency stop ends at its time limit while a grant and the service are not answered', async () => {
    const room = new FakeRoom(() => ({ reply: guardReply('PERMISSION_DENIED') }));
    const { session } = await sessionWith(room, 'never');
    const ended = session.emergencyStop({ timeoutMs: 500 }).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(600);
    expect(await ended).toMatchObject({ paths: { room: { status: 'failed' }, http: { status: 'failed' } } });
  });

  it('an emergency stop works after the session was left', async () => {
    const { session } = await sessionWith(new FakeRoom(() => stood()), overHttp(true));
    await session.disconnect({ keepSession: true });
    expect(await settled(session.emergencyStop())).toMatchObject({ by: 'http', paths: { room: { status: 'failed' } } });
  });
});

describe('the press over HTTP with real timers', () => {
  it('the press over HTTP is sent with real timers, which accept whole milliseconds only', async () => {
    vi.useRealTimers();
    const { fetch } = fakeFetch(overHttp(true));
    const client = new Client({ apiKey: 'k', rcsUrl: 'http://rcs.test/rcs', fetch });
    for (let press = 0; press < 20; press += 1)
      expect(await client.robots.emergencyStop('r1', { timeoutMs: 1_000 })).toMatchObject({ stands: true });
  });
});

describe('client.robots.emergencyStop', () => {
  it('client.robots.emergencyStop repeats the press until it is answered', async () => {
    const busy = { status: 503, body: { code: 'database.unavailable', message: 'Later.', details: { request_id: 'r' } } };
    const { fetch, seen } = fakeFetch(unreachable, busy, unreachable, overHttp(true));
    const client = new Client({ apiKey: 'k', rcsUrl: 'http://rcs.test/rcs', fetch });
    expect(await settled(client.robots.emergencyStop('r1', { reason: 'smoke' }))).toMatchObject({ stands: true });
    expect(seen).toHaveLength(4);
  });

  it('client.robots.emergencyStop reports a rejection at once, and the last problem when its time is up', async () => {
    const refusal = { status: 404, body: { code: 'robot.not_found', message: 'None.', details: { request_id: 'r' } } };
    const refused = fakeFetch(refusal);
    const clientOf = (fetch: typeof globalThis.fetch) => new Client({ apiKey: 'k', rcsUrl: 'http://rcs.test/rcs', fetch });
    await expect(settled(clientOf(refused.fetch).robots.emergencyStop('r1'))).rejects.toMatchObject({ code: 'robot.not_found' });
    expect(refused.seen).toHaveLength(1);
    const gone = fakeFetch(unreachable);
    await expect(settled(clientOf(gone.fetch).robots.emergencyStop('r1'))).rejects.toThrow('cannot be reached');
    expect(gone.seen.length).toBeGreaterThan(10);
  });
});
