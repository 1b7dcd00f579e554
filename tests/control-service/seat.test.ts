import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { whoHasSeat } from '../../src/control-service/operations/seat.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
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
const ask = (token: string, browser = HERE, page = 'Chrome on Linux') =>
  whoHasSeat(service.deps, SFU_KEY, { token, browser, page });
const sits = (attributes: Record<string, string>, { isAgent = false, agoMs = 90_000 } = {}) =>
  service.sfu.holders.set(`${ROOM} ${IDENTITY}`, { joinedAtMs: service.clock.nowMs() - agoMs, isAgent, attributes });

it('an empty place is nobody’s, and the token comes back with the marks of the page', async () => {
  const token = await tokenOf();
  const seat = await ask(token);
  expect(seat?.holder).toBeNull();
  const [given, before] = [decodeJwt(seat?.token ?? ''), decodeJwt(token)];
  expect(given.attributes).toEqual({ 'simplesim.browser': HERE, 'simplesim.page': 'Chrome on Linux' });
  expect({ ...given, attributes: undefined }).toEqual({ ...before, attributes: undefined });
});

it('names the page that has the place, and since when; a page of the same browser is told that nobody else has it', async () => {
  sits({ 'simplesim.browser': ELSEWHERE, 'simplesim.page': 'Firefox on Windows' });
  const token = await tokenOf();
  expect((await ask(token))?.holder).toEqual({ page: 'Firefox on Windows', is_worker: false, for_ms: 90_000 });
  expect((await ask(token, ELSEWHERE))?.holder).toBeNull();
});

it('a worker, and a page of another platform, have no name of their own', async () => {
  sits({}, { isAgent: true, agoMs: -5_000 });
  expect((await ask(await tokenOf()))?.holder).toEqual({ page: null, is_worker: true, for_ms: 0 });
});

it('the token ends with the given one, and a token of the SFU stays one: it leads to no longer key', async () => {
  const renewed = await tokenOf(IDENTITY, { ttlS: 600, kind: 'standard' });
  service.clock.advanceMs(500_000);
  const seat = await ask(renewed);
  expect(decodeJwt(seat?.token ?? '')).toMatchObject({ exp: decodeJwt(renewed).exp, kind: 'standard' });
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
])('says nothing to a holder of a token that is %s', async (_what, token) => {
  sits({ 'simplesim.browser': ELSEWHERE });
  expect(await ask(await token())).toBeNull();
});

it('says nothing while the SFU does not answer', async () => {
  service.sfu.failing.add('holderOf');
  expect(await ask(await tokenOf())).toBeNull();
});

it('a name that would change the sentence around it is made harmless', async () => {
  const seat = await ask(await tokenOf(), HERE, '\u202eevil\nname');
  expect(JSON.stringify(decodeJwt(seat?.token ?? '').attributes)).not.toMatch(/\u202e|\\n/);
});

it('is asked at /seat with JSON, and refuses what is no question', async () => {
  const front = createFront(new Health());
  front.open({
    service: { fetch: () => new Response(null, { status: 404 }) },
    whoHasSeat: (asked) => whoHasSeat(service.deps, SFU_KEY, asked),
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
