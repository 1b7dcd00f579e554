import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sessions } from '../../src/control-service/db/schema.ts';
import { LatchedStops } from '../../src/control-service/operations/latched-stops.ts';
import { pressByLink } from '../../src/control-service/operations/press-by-link.ts';
import { notifyRoom } from '../../src/control-service/operations/sessions.ts';
import { placeToWatch } from '../../src/control-service/operations/watch.ts';
import { signParticipantToken } from '../../src/control-service/tokens.ts';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
import type { Access } from '../../src/protocol/service/access.ts';
import { LINK_PRESS_PATH } from '../../src/protocol/service/link-press.ts';
import { pressOf } from '../../src/protocol/wire/emergency-stop.ts';
import { faceClient } from './helpers/faces.ts';
import { SFU_KEY } from './helpers/fake-sfu.ts';
import { startTestService, type TestService } from './helpers/service.ts';

/** The emergency stop by an operator's link, without an API key: it applies to this robot only, and allows nothing else. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
beforeEach(async () => {
  await service.reset();
  service.sfu.rooms.clear();
  presses = 0;
  service.sfu.identities = [];
  service.sfu.answer = ({ method }) => {
    if (method !== 'runtime.emergency_stop') return '{}';
    presses += 1;
    const said = { emergency_stop: null, stands: true, after_ms: 300, held_entity_ids: [] };
    return JSON.stringify({ status: 'done', result: said, meta: {} });
  };
});
afterAll(() => service.close());

let presses = 0;
const { send, createRobot } = faceClient('public', () => service);

async function openRobot(): Promise<{ id: string; room: string }> {
  const before = new Set(service.sfu.rooms.keys());
  const { id } = await createRobot();
  await send('POST', `/v1/robots/${id}/session`);
  service.sfu.identities.push(`simplesim:${id}`);
  return { id, room: [...service.sfu.rooms.keys()].find((name) => !before.has(name)) ?? '' };
}

interface Given {
  access?: Access | null;
  identity?: string;
  ttlS?: number;
  kind?: string | null;
}
const linkTo = (room: string, { access = 'drive', identity = 'operator-1', ttlS = 600, kind = null }: Given = {}) =>
  signParticipantToken(SFU_KEY, {
    room,
    identity,
    name: 'Ada',
    issuedAtS: Math.floor(service.clock.nowMs() / 1000),
    ttlS,
    access,
    kind,
  });
const press = (token: string, reason: string | null = null) => pressByLink(service.deps, SFU_KEY, { token, reason });
const latchOf = (room: string) => pressOf(service.sfu.rooms.get(room) ?? '');

it('an operator’s link presses the stop of its robot, and the press names the link', async () => {
  const { id, room } = await openRobot();
  const answer = await press(await linkTo(room), 'smoke');
  expect(answer).toMatchObject({ robot_id: id, emergency_stop: { by: 'operator-1', reason: 'smoke' }, stands: true });
  expect(latchOf(room)).toMatchObject({ by: 'operator-1', reason: 'smoke' });
  expect(presses).toBe(1);
});

it('the page’s own token presses under the name that the page has in the room', async () => {
  const { room } = await openRobot();
  const { watch: place } = await placeToWatch(service.deps, SFU_KEY, { token: await linkTo(room) });
  const answer = await press(place?.token ?? '');
  expect(answer?.emergency_stop.by).toMatch(/^operator-1-[0-9a-f]{16}$/);
});

it('a press by a link latches if the SFU is unreachable, and reports that the robot’s motion is unknown', async () => {
  const { room } = await openRobot();
  service.sfu.identities = [];
  expect(await press(await linkTo(room))).toMatchObject({ stands: null, runtimes: [] });
});

it('a link to another robot stops that robot, and this one keeps running', async () => {
  const [one, other] = [await openRobot(), await openRobot()];
  await press(await linkTo(other.room));
  expect(latchOf(other.room)).not.toBeNull();
  expect(latchOf(one.room)).toBeNull();
});

it.each<[string, Given]>([
  ['of a viewer', { access: 'watch' }],
  ['of a program, which has an API key', { access: null }],
  ['of the robot itself', { access: null, identity: 'simplesim:r1' }],
  ['of a runtime with an access, which the service never gives', { identity: 'simplesim:r1' }],
  ['that has expired', { ttlS: -10 }],
  ['that the SFU gave to a participant in the room', { kind: 'standard' }],
])('a token %s cannot press', async (_what, given) => {
  const { room } = await openRobot();
  expect(await press(await linkTo(room, given))).toBeNull();
  expect(latchOf(room)).toBeNull();
  expect(presses).toBe(0);
});

it('the page of a watcher’s link gets no token that can press', async () => {
  const { room } = await openRobot();
  const { watch: place } = await placeToWatch(service.deps, SFU_KEY, { token: await linkTo(room, { access: 'watch' }) });
  expect(await press(place?.token ?? '')).toBeNull();
});

it('a forged token and a token of another platform cannot press', async () => {
  const { room } = await openRobot();
  const [head, body, signature] = (await linkTo(room, { access: 'watch' })).split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, attributes: { 'simplesim.access': 'drive' } })).toString('base64url');
  expect(await press(`${head}.${forged}.${signature}`)).toBeNull();
  const strange = { ...SFU_KEY, apiSecret: 'x'.repeat(40) };
  expect(await pressByLink(service.deps, strange, { token: await linkTo(room), reason: null })).toBeNull();
  expect(await press('a.b.c')).toBeNull();
  expect(presses).toBe(0);
});

it('the right to press ends with the link and with the session: the next session needs its own link', async () => {
  const { id, room } = await openRobot();
  const [short, long] = [await linkTo(room, { ttlS: 60 }), await linkTo(room, { ttlS: 3_600 })];
  service.clock.advanceMs(61_000);
  expect(await press(short)).toBeNull();
  await send('DELETE', `/v1/robots/${id}/session`);
  await send('POST', `/v1/robots/${id}/session`);
  expect(await press(long)).toBeNull();
  expect(presses).toBe(0);
});

it('a flood of presses is merged into few: simultaneous presses become one', async () => {
  const { room } = await openRobot();
  const token = await linkTo(room);
  const answers = await Promise.all(Array.from({ length: 500 }, () => press(token)));
  expect(answers.every((answer) => answer?.stands === true)).toBe(true);
  expect(presses).toBe(2);
});

it('presses by a link and over HTTP are presses of one robot, one at a time', async () => {
  const { id, room } = await openRobot();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let [underWay, most] = [0, 0];
  const { answer } = service.sfu;
  service.sfu.answer = async (call) => {
    underWay += 1;
    most = Math.max(most, underWay);
    begin();
    await held;
    underWay -= 1;
    return answer(call);
  };
  const byLink = press(await linkTo(room));
  await begun;
  const overHttp = send('POST', `/v1/robots/${id}/emergency-stop`);
  // Each caller reads the database before its press.
  for (let k = 0; k < 20; k += 1) await service.deps.db.execute(sql`select 1`);
  letGo();
  await Promise.all([overHttp, byLink]);
  expect(latchOf(room)).not.toBeNull();
  expect(most).toBe(1);
});

it('a room whose metadata an older write overwrites gets the press again', async () => {
  const { room } = await openRobot();
  const ensureRoom = service.sfu.ensureRoom.bind(service.sfu);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const [session] = await service.deps.db.select().from(sessions);
  if (session === undefined) throw new Error('No session is open.');
  const older = new Promise<void>((resolve) => {
    service.sfu.ensureRoom = async (...args) => {
      resolve();
      await held;
      return ensureRoom(...args);
    };
  });
  const notifying = notifyRoom(service.deps, session);
  await older;
  await press(await linkTo(room));
  letGo();
  await notifying;
  await new LatchedStops(service.deps).tick();
  expect(latchOf(room)).not.toBeNull();
});

it('a link that presses repeatedly is served a few times a second, the first time at once', async () => {
  const { room } = await openRobot();
  const token = await linkTo(room);
  const startMs = performance.now();
  let firstAfterMs = Number.NaN;
  for (let k = 0; k < 5; k += 1) {
    await press(token);
    if (k === 0) firstAfterMs = performance.now() - startMs;
  }
  expect(performance.now() - startMs - firstAfterMs).toBeGreaterThan(4 * 240);
});

it('a press takes JSON in the body, keeps the token out of logs and addresses, and rejects anything else', async () => {
  const { room } = await openRobot();
  const front = createFront(new Health());
  front.open({
    service: { fetch: () => new Response(null, { status: 404 }) },
    pressByLink: (asked) => pressByLink(service.deps, SFU_KEY, asked),
  });
  const ask = (body: unknown, type = 'application/json') =>
    front.app.request(
      LINK_PRESS_PATH,
      { method: 'POST', headers: { 'Content-Type': type }, body: JSON.stringify(body) },
      { requestId: 'r-1' },
    );
  const token = await linkTo(room);
  const good = await ask({ token });
  expect([good.status, good.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await good.json()).toMatchObject({ stop: { stands: true } });
  expect(await (await ask({ token: 'a.b.c' })).json()).toEqual({ stop: null });
  // A request can neither name nor release a robot here.
  for (const bad of [{}, { token: 1 }, { token: 'x'.repeat(8_193) }, { token, robot_id: 'r2' }, { token, release: true }])
    expect(await (await ask(bad)).json()).toMatchObject({ code: 'request.invalid' });
  // Preflight requests are refused; without one, a page of another site can send only text.
  expect((await ask({ token }, 'text/plain')).status).toBe(415);
  for (const entry of service.log) expect(JSON.stringify(entry)).not.toContain(token.split('.')[2]);
});
