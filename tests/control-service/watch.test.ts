import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHolderAnswers } from '../../src/control-service/operations/holder.ts';
import { placeToWatch } from '../../src/control-service/operations/watch.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
import type { Access } from '../../src/protocol/service/access.ts';
import { SFU_KEY } from './helpers/fake-sfu.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const ROOM = 'robot-r1-0123456789ab';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
afterAll(() => service.close());

interface Given {
  identity?: string;
  access?: Access | null;
  ttlS?: number;
  kind?: string | null;
}
const tokenOf = ({ identity = 'watcher-1', access = 'watch', ttlS = 3_600, kind = null }: Given = {}): Promise<string> =>
  signParticipantToken(SFU_KEY, {
    room: ROOM,
    identity,
    name: 'Ada',
    issuedAtS: Math.floor(service.clock.nowMs() / 1000),
    ttlS,
    access,
    kind,
  });
const ask = async (token: string) => (await placeToWatch(service.deps, SFU_KEY, { token })).watch?.token ?? '';

it.each(['watch', 'drive'] as const)(
  'each page of a link to %s has its own name, and the same rights as the link',
  async (access) => {
    const link = await tokenOf({ access });
    const [one, other] = [decodeJwt(await ask(link)), decodeJwt(await ask(link))];
    expect(one.sub).toMatch(/^watcher-1-[0-9a-f]{16}$/);
    expect(other.sub).not.toBe(one.sub);
    const { sub, attributes, ...rest } = decodeJwt(link);
    expect(attributes).toEqual({ 'simplesim.access': access });
    const signed = { 'simplesim.access': access, 'simplesim.link': sub, 'simplesim.link_ends': String(rest.exp) };
    expect(one).toEqual({ ...rest, sub: one.sub, attributes: signed });
  },
);

it('a page that reloads repeatedly gets neither a longer name nor a longer time', async () => {
  const link = await tokenOf({ ttlS: 600 });
  const again = await ask(await ask(await ask(link)));
  service.clock.advanceMs(400_000);
  const late = decodeJwt(await ask(again));
  expect(late).toMatchObject({
    exp: decodeJwt(link).exp,
    sub: expect.stringMatching(/^watcher-1-[0-9a-f]{16}$/),
  });
});

it.each<[string, Given | string]>([
  ['expired', { ttlS: -10 }],
  ['of a program', { access: null }],
  ['of the robot itself', { identity: 'simplesim:r1', access: null }],
  ['of a runtime with an access, which the service never gives', { identity: 'simplesim:r1' }],
  ['renewed by the media server, which lives longer than its link', { access: 'drive', kind: 'standard' }],
  ['no token', 'a.b.c'],
])('grants nothing for a token that is %s', async (_what, given) => {
  expect(await ask(typeof given === 'string' ? given : await tokenOf(given))).toBe('');
});

it('a token that was changed, or that another platform signed, grants nothing', async () => {
  const [head, body, signature] = (await tokenOf()).split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, attributes: { 'simplesim.access': 'drive' } })).toString('base64url');
  expect(await ask(`${head}.${forged}.${signature}`)).toBe('');
  const byAnother = { ...SFU_KEY, apiSecret: 'x'.repeat(40) };
  expect(await placeToWatch(service.deps, byAnother, { token: await tokenOf() })).toEqual({ watch: null });
});

it('a visitor learns nothing about the holder, whatever name the token has', async () => {
  const asked = { browser: '0b7e5f7e-7f0f-4b39-9a9e-0f8f0b7e5f7e', page: '' };
  for (const identity of ['watcher-1', 'simplesim:r1'])
    expect(await createHolderAnswers(service.deps, SFU_KEY)({ ...asked, token: await tokenOf({ identity }) })).toBeNull();
});

it('a request to `/watch` must be JSON, and anything else is rejected', async () => {
  const front = createFront(new Health());
  front.open({
    service: { fetch: () => new Response(null, { status: 404 }) },
    placeToWatch: (asked) => placeToWatch(service.deps, SFU_KEY, asked),
  });
  const send = (body: unknown) =>
    front.app.request(
      '/watch',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
      { requestId: 'r-1' },
    );
  const good = await send({ token: await tokenOf() });
  expect([good.status, good.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await good.json()).toEqual({ watch: { token: expect.stringMatching(/^eyJ/) } });
  expect(await (await send({ token: 'a.b.c' })).json()).toEqual({ watch: null });
  for (const bad of [{}, { token: 1 }, { token: 'x'.repeat(8_193) }]) {
    const refused = await send(bad);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'request.invalid' });
  }
});

it('announces a viewer to the room once a second at most, and answers even if the room cannot be reached', async () => {
  service.clock.advanceMs(10_000);
  service.sfu.announced.length = 0;
  const token = await tokenOf();
  await Promise.all([ask(token), ask(token), ask(token)]);
  expect(service.sfu.announced).toEqual([ROOM]);
  service.clock.advanceMs(1_000);
  await ask(token);
  expect(service.sfu.announced).toEqual([ROOM, ROOM]);
  service.clock.advanceMs(1_000);
  service.sfu.failing.add('announceWatcher');
  expect(await ask(token)).not.toBe('');
  service.sfu.failing.clear();
  service.clock.advanceMs(1_000);
  await ask('a.b.c');
  await ask(await tokenOf({ access: null }));
  expect(service.sfu.announced).toHaveLength(2);
});
