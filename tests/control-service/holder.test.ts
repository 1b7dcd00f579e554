import { decodeJwt, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHolderAnswers, type HolderAnswers } from '../../src/control-service/operations/holder.ts';
import { SfuError } from '../../src/control-service/sfu-error.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
import type { HolderQuestion } from '../../src/protocol/room/holder-question.ts';
import { SFU_KEY } from './helpers/fake-sfu.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const HERE = '0b7e5f7e-7f0f-4b39-9a9e-0f8f0b7e5f7e';
const ELSEWHERE = 'ffffffff-7f0f-4b39-9a9e-0f8f0b7e5f7e';
const ROOM = 'robot-r1-0123456789ab';
const IDENTITY = 'simplesim:r1';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
beforeEach(() => {
  service.sfu.holders.clear();
  service.sfu.failing.clear();
  service.sfu.answer = () => {
    throw new SfuError('rpc_unknown_method', 'not known');
  };
});
afterAll(() => service.close());

const tokenOf = (identity = IDENTITY, { ttlS = 3_600, kind = null as string | null } = {}): Promise<string> =>
  signParticipantToken(SFU_KEY, {
    room: ROOM,
    identity,
    name: 'Ada',
    issuedAtS: Math.floor(service.clock.nowMs() / 1000),
    ttlS,
    kind,
  });
let answers: HolderAnswers;
beforeEach(() => {
  answers = createHolderAnswers(service.deps, SFU_KEY, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
});
const ask = (token: string, browser = HERE, page = 'Chrome on Linux', more: Partial<HolderQuestion> = {}) =>
  answers({ token, browser, page, ...more });
let joins = 0;
const sits = (
  attributes: Record<string, string>,
  { isAgent = false, agoMs = 90_000, isConnected = true }: { isAgent?: boolean; agoMs?: number; isConnected?: boolean } = {},
) => {
  joins += 1;
  const joinedAtMs = service.clock.nowMs() - agoMs;
  service.sfu.holders.set(`${ROOM} ${IDENTITY}`, { joinId: `PA_${joins}`, joinedAtMs, isConnected, isAgent, attributes });
};
const sitting = () => service.sfu.holders.get(`${ROOM} ${IDENTITY}`);
const CHROME = { 'simplesim.browser': ELSEWHERE, 'simplesim.page': 'Chrome on Linux', 'simplesim.visit': 'visit-of-the-holder' };
/** Makes the holder leave all questions unanswered, like a process that has died. */
const fallsSilent = (): void => {
  service.sfu.answer = ({ timeoutMs }) =>
    new Promise((_, reject) => {
      setTimeout(() => reject(new SfuError('rpc_no_reply', 'no answer')), Math.min(2_000, timeoutMs));
    });
};
/** Waits for the time of a whole question to a silent holder. */
async function afterTheProbe<T>(asked: Promise<T>): Promise<T> {
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(3_000);
  return asked;
}

it('an empty place has no holder, and the token is returned with the attributes of the page', async () => {
  const token = await tokenOf();
  const holderAnswer = await ask(token);
  expect(holderAnswer?.holder).toBeNull();
  const [given, before] = [decodeJwt(holderAnswer?.token ?? ''), decodeJwt(token)];
  expect(given.attributes).toEqual({ 'simplesim.browser': HERE, 'simplesim.page': 'Chrome on Linux' });
  expect({ ...given, attributes: undefined }).toEqual({ ...before, attributes: undefined });
});

it('names the page that has the place, and since when; a page of the same browser learns that no other browser has it', async () => {
  sits({ 'simplesim.browser': ELSEWHERE, 'simplesim.page': 'Firefox on Windows' });
  const token = await tokenOf();
  expect((await ask(token))?.holder).toEqual({
    page: 'Firefox on Windows',
    is_worker: false,
    for_ms: 90_000,
    silent_ms: 0,
    is_dead: false,
  });
  expect((await ask(token, ELSEWHERE))?.holder).toBeNull();
});

it('a worker, and a page of another platform, have no name of their own', async () => {
  sits({}, { isAgent: true, agoMs: -5_000 });
  expect((await ask(await tokenOf()))?.holder).toEqual({ page: null, is_worker: true, for_ms: 0, silent_ms: 0, is_dead: false });
});

it('the token ends with the given one, and a token of the SFU stays one, so that it leads to no longer key', async () => {
  const renewed = await tokenOf(IDENTITY, { ttlS: 600, kind: 'standard' });
  service.clock.advanceMs(500_000);
  const holderAnswer = await ask(renewed);
  expect(decodeJwt(holderAnswer?.token ?? '')).toMatchObject({ exp: decodeJwt(renewed).exp, kind: 'standard' });
});

it.each([
  ['expired', async () => tokenOf(IDENTITY, { ttlS: -10 })],
  ['of a client', async () => tokenOf('client-1')],
  ['no token', async () => 'a.b.c'],
  [
    'signed by another',
    async () =>
      new SignJWT({ video: { room: ROOM, roomJoin: true } })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(SFU_KEY.apiKey)
        .setSubject(IDENTITY)
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode('another-secret-another-secret-another')),
  ],
])('reveals nothing to a holder of a token that is %s', async (_what, token) => {
  sits({ 'simplesim.browser': ELSEWHERE });
  expect(await ask(await token())).toBeNull();
});

it('reveals nothing while the SFU does not answer', async () => {
  service.sfu.failing.add('holderOf');
  expect(await ask(await tokenOf())).toBeNull();
});

it('escapes a name that would change the sentence around it', async () => {
  const holderAnswer = await ask(await tokenOf(), HERE, '\u202eevil\nname');
  expect(JSON.stringify(decodeJwt(holderAnswer?.token ?? '').attributes)).not.toMatch(/\u202e|\\n/);
});

it('a question to `/seat` must be JSON, and anything else is rejected', async () => {
  const front = createFront(new Health());
  front.open({
    service: { fetch: () => new Response(null, { status: 404 }) },
    whoIsHolder: createHolderAnswers(service.deps, SFU_KEY),
  });
  const send = (body: unknown) =>
    front.app.request(
      '/seat',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
      { requestId: 'r-1' },
    );
  const good = await send({ token: await tokenOf(), browser: HERE, page: 'Chrome on Linux' });
  expect([good.status, good.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await good.json()).toMatchObject({ seat: { holder: null } });
  expect(await (await send({ token: 'a.b.c', browser: HERE, page: '' })).json()).toEqual({ seat: null });
  for (const bad of [
    {},
    { token: 'a.b.c' },
    { token: 'a.b.c', browser: 'x', page: '' },
    { token: 'a.b.c', browser: HERE, page: 'x'.repeat(81) },
  ]) {
    const refused = await send(bad);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'request.invalid' });
  }
});

describe('a holder that answers nothing', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a silent holder is dead after 3 s, and the answer reports since when it is silent', async () => {
    sits(CHROME);
    fallsSilent();
    const token = await tokenOf();
    expect(await afterTheProbe(ask(token))).toMatchObject({
      holder: { page: 'Chrome on Linux', silent_ms: 3_000, is_dead: true },
    });
    service.clock.advanceMs(9_000);
    expect(await afterTheProbe(ask(token))).toMatchObject({ holder: { silent_ms: 12_000, is_dead: true } });
  });

  it('a silent holder is alive if its page reported meanwhile that it is busy', async () => {
    sits(CHROME);
    fallsSilent();
    const token = await tokenOf();
    const asked = ask(token);
    await ask(token, ELSEWHERE, 'Chrome on Linux', { report: 'busy', visit: 'visit-of-the-holder' });
    expect(await afterTheProbe(asked)).toMatchObject({ holder: { silent_ms: 0, is_dead: false } });
  });

  it('a silent holder’s place goes to one of two browsers that ask at once', async () => {
    sits(CHROME);
    fallsSilent();
    const token = await tokenOf();
    const both = Promise.all([ask(token), ask(token, 'another-browser')]);
    const holderAnswers = await afterTheProbe(both);
    expect(holderAnswers.map((holderAnswer) => holderAnswer?.holder?.is_dead).toSorted()).toEqual([false, true]);
  });

  it('a silent holder is alive for a page of its own browser, because the lock of the browser decides there', async () => {
    sits(CHROME);
    fallsSilent();
    expect((await ask(await tokenOf(), ELSEWHERE))?.holder).toBeNull();
  });

  it.each([
    ['of the service is set back by a day', () => service.clock.setBackMs(86_400_000), 90_000],
    ['of the SFU is ahead by a day', () => undefined, -86_400_000],
  ])('a silent holder is dead within 8 s of the first question although the clock %s', async (_what, set, agoMs) => {
    sits(CHROME, { agoMs });
    fallsSilent();
    set();
    const fresh = await afterTheProbe(ask(await tokenOf()));
    expect(fresh).toMatchObject({ holder: { for_ms: 0, is_dead: false } });
    service.clock.advanceMs(5_000);
    expect(await afterTheProbe(ask(await tokenOf()))).toMatchObject({ holder: { for_ms: 5_000, is_dead: true } });
  });

  it('a silent holder is reported with the time of its silence, even after the clock was set back', async () => {
    sits(CHROME);
    fallsSilent();
    expect(await afterTheProbe(ask(await tokenOf()))).toMatchObject({ holder: { silent_ms: 3_000 } });
    service.clock.setBackMs(60_000);
    service.clock.advanceMs(9_000);
    expect(await afterTheProbe(ask(await tokenOf()))).toMatchObject({ holder: { silent_ms: 12_000, is_dead: true } });
  });

  it('a silent holder keeps its place while the SFU does not answer', async () => {
    sits(CHROME);
    service.sfu.answer = () => {
      throw new SfuError('unreachable', 'no SFU');
    };
    expect(await afterTheProbe(ask(await tokenOf()))).toMatchObject({ holder: { is_dead: false } });
  });
});

describe('a free robot', () => {
  it('a free robot is promised to the first browser that joins, and not to one that only waits', async () => {
    const token = await tokenOf();
    expect((await ask(token, HERE, 'Chrome on Linux', { waits: true }))?.holder).toBeNull();
    expect((await ask(token, ELSEWHERE, 'Firefox on Windows', { visit: 'visit-1' }))?.holder).toBeNull();
    expect((await ask(token))?.holder).toMatchObject({ page: 'Firefox on Windows', for_ms: 0, is_dead: false });
    service.clock.advanceMs(5_000);
    expect((await ask(token))?.holder).toBeNull();
  });

  it('a free robot is available again at once if the page to which it was promised reports that it leaves', async () => {
    const token = await tokenOf();
    await ask(token, ELSEWHERE, 'Firefox on Windows', { visit: 'visit-1' });
    await ask(token, ELSEWHERE, 'Firefox on Windows', { visit: 'visit-1', report: 'left' });
    expect((await ask(token))?.holder).toBeNull();
  });
});

describe('a page that asks again and again and never joins', () => {
  const STEP_MS = 500;
  /**
   * Asks for the robot twice a second for this long, like a page whose joins fail.
   * @returns for how much of that time another browser learns that the robot is free
   */
  async function keepsAsking(forMs: number, more: (askedAtMs: number) => Partial<HolderQuestion> = () => ({})): Promise<number> {
    const token = await tokenOf();
    let freeMs = 0;
    for (let passedMs = 0; passedMs < forMs; passedMs += STEP_MS) {
      await ask(token, ELSEWHERE, 'Firefox on Windows', more(passedMs));
      const seen = await ask(token, HERE, 'Chrome on Linux', { waits: true });
      if (!seen?.holder) freeMs += STEP_MS;
      service.clock.advanceMs(STEP_MS);
    }
    return freeMs;
  }

  it.each([
    ['from one load', () => ({ visit: 'visit-of-one-load' })],
    ['from a new load each time', (askedAtMs: number) => ({ visit: `visit-${askedAtMs}-of-many` })],
  ])('a page that never joins keeps the robot from other browsers for 15 s at most: %s', async (_how, more) => {
    expect(await keepsAsking(15_000, more)).toBe(0);
    expect(await keepsAsking(300_000, more)).toBe(300_000);
    const token = await tokenOf();
    expect((await ask(token))?.holder).toBeNull();
    expect((await ask(token, ELSEWHERE, 'Firefox on Windows'))?.holder).toMatchObject({ page: 'Chrome on Linux' });
  });

  it('a page that never joins keeps nothing longer by reporting between its questions that it leaves', async () => {
    const token = await tokenOf();
    await keepsAsking(15_000, () => ({ visit: 'visit-of-one-load' }));
    await ask(token, ELSEWHERE, 'Firefox on Windows', { visit: 'visit-of-one-load', report: 'left' });
    await ask(token, ELSEWHERE, 'Firefox on Windows', { visit: 'visit-of-one-load' });
    expect((await ask(token))?.holder).toBeNull();
  });

  it('a page is promised the robot again after it has been seen in the room, or has not asked for 20 s', async () => {
    const token = await tokenOf();
    await keepsAsking(16_000);
    expect((await ask(token))?.holder).toBeNull();
    service.clock.advanceMs(20_000);
    await ask(token, ELSEWHERE, 'Firefox on Windows');
    expect((await ask(token))?.holder).toMatchObject({ page: 'Firefox on Windows' });
    service.clock.advanceMs(1_000);
    await keepsAsking(16_000);
    sits(CHROME);
    await ask(token, ELSEWHERE, 'Firefox on Windows');
    service.sfu.holders.clear();
    await ask(token, ELSEWHERE, 'Firefox on Windows');
    expect((await ask(token))?.holder).toMatchObject({ page: 'Firefox on Windows' });
  });

  it('a page is dead for others if its joins reach only the signalling for 15 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const token = await tokenOf();
      fallsSilent();
      const joinsHalfWay = async () => {
        await ask(token, ELSEWHERE, 'Firefox on Windows');
        sits(CHROME, { isConnected: false, agoMs: 0 });
      };
      await joinsHalfWay();
      expect(await afterTheProbe(ask(token))).toMatchObject({ holder: { is_dead: false } });
      for (let passedMs = 0; passedMs < 15_000; passedMs += 3_000) {
        service.clock.advanceMs(3_000);
        await joinsHalfWay();
      }
      expect(await afterTheProbe(ask(token))).toMatchObject({ holder: { is_dead: true } });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a report of a page', () => {
  it('a page’s report that it leaves does not remove the next page, which was allowed to join', async () => {
    sits(CHROME);
    const token = await tokenOf();
    await ask(token, ELSEWHERE, 'Chrome on Linux', { visit: 'visit-after-the-reload' });
    await ask(token, ELSEWHERE, 'Chrome on Linux', { report: 'left', visit: 'visit-of-the-holder' });
    expect(sitting()).toBeDefined();
  });

  it('a page’s report that it leaves removes its participant from the room', async () => {
    sits(CHROME);
    expect(await ask(await tokenOf(), ELSEWHERE, 'x', { report: 'left', visit: 'visit-of-the-holder' })).toBeNull();
    expect(sitting()).toBeUndefined();
  });

  it.each(['left', 'busy'] as const)(
    'a report (%s) does not affect another load of the page that has the place',
    async (report) => {
      sits(CHROME);
      const before = sitting();
      for (const visit of ['visit-before', undefined])
        expect(await ask(await tokenOf(), ELSEWHERE, 'x', { report, ...(visit ? { visit } : {}) })).toBeNull();
      expect(sitting()).toBe(before);
    },
  );

  it('a report with a token of a client changes nothing', async () => {
    sits(CHROME);
    await ask(await tokenOf('client-1'), ELSEWHERE, 'x', { report: 'left', visit: 'visit-of-the-holder' });
    expect(sitting()).toBeDefined();
  });
});
