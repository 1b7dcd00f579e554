/** Stops that wait at a silent robot block no other stop, at that robot or another, whatever their callers do. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import { DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { StopPlaces } from '../../src/control-service/operations/stop-places.ts';
import { startTestService, type TestService } from './helpers/service.ts';
import { times } from './helpers/times.ts';

const MAX = 6;
const PATIENTLY = { timeout: 60_000 };

let service: TestService;
let app: ReturnType<typeof createApp>;
/** Two robots of the first account, one of which does not answer until the test lets it, and one of the second account. */
let silent: string;
let lively: string;
let theirs: string;
let wake: () => void;
/** Action ids that reached the silent robot, in order. */
let came: string[];

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  await service.reset();
  app = createApp(service.deps);
  setMax(MAX);
  const mine = await Promise.all(times(2, () => newRobot(service.keys[0])));
  [silent, lively] = mine as [string, string];
  theirs = await newRobot(service.keys[1]);
  came = [];
  const isAwake = new Promise<void>((resolve) => {
    wake = resolve;
  });
  service.sfu.identities = [silent, lively, theirs].map((id) => `simplesim:${id}`);
  service.sfu.answer = async ({ identity, payload }) => {
    const actionId = JSON.parse(payload).options.action_id;
    if (identity.endsWith(silent)) {
      came.push(actionId);
      await isAwake;
    }
    const meta = { action_id: actionId, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    return JSON.stringify({ status: 'done', result: {}, meta });
  };
});
afterAll(() => service.close());

function setMax(waitingCommands: number): void {
  const accountLimits = { ...DEFAULT_SETTINGS.accountLimits, waitingCommands };
  service.deps.settings = { ...service.deps.settings, accountLimits };
}
async function newRobot(key: string): Promise<string> {
  const { body } = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' }, key });
  await service.send('POST', `/v1/robots/${body.result.id}/session`, { key });
  return body.result.id;
}
async function command(id: string, body: object, { key = service.keys[0], signal }: { key?: string; signal?: AbortSignal } = {}) {
  const response = await app.request(`/v1/robots/${id}/session/command`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
type Answer = Awaited<ReturnType<typeof command>>;
const stop = (id: string, actionId: string, by?: Parameters<typeof command>[2]) =>
  command(id, { skill: 'stop', action_id: actionId }, by);
const arrival = (count: number) => expect.poll(() => came.length, PATIENTLY).toBe(count);
/** Sends stops to the silent robot one after the other: each is at the SFU before the next is sent. */
async function waitingStops(count: number, send = (i: number): Promise<Answer> => stop(silent, `stop-${i}`)) {
  const sent: Promise<Answer>[] = [];
  for (let i = 0; i < count; i += 1) {
    sent.push(send(i));
    await arrival(i + 1);
  }
  return sent;
}
const expectGaveWay = (answer: Answer | undefined, actionId: string): void =>
  expect(answer).toMatchObject({ status: 504, body: { code: 'runtime.timeout', details: { action_id: actionId } } });

describe('P7: when as many stops wait at a silent robot as an account may have', () => {
  it('the stops of another robot of the account, and of a robot of another account, are delivered', async () => {
    const waiting = await waitingStops(MAX);
    expect(await stop(lively, 'here')).toMatchObject({ status: 200, body: { code: 'ok', result: { status: 'done' } } });
    expect(await stop(theirs, 'there', { key: service.keys[1] })).toMatchObject({ status: 200 });
    wake();
    // One waiting stop gave its place to the stop of the other robot, and one to a later stop at its own robot.
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 504, 200]);
    expectGaveWay(answers[4], 'stop-4');
  });

  it('a later stop is sent at once in the place of the earlier one, whose caller is informed', async () => {
    const waiting = await waitingStops(MAX);
    const later: Promise<Answer>[] = [];
    for (let i = 0; i < 3; i += 1) {
      later.push(stop(silent, `later-${i}`));
      await arrival(MAX + 1 + i);
    }
    // Before the robot wakes, no caller holds a connection for them any more.
    expectGaveWay(await waiting[MAX - 1], `stop-${MAX - 1}`);
    expectGaveWay(await later[0], 'later-0');
    expectGaveWay(await later[1], 'later-1');
    wake();
    expect(await later[2]).toMatchObject({ status: 200, body: { result: { meta: { action_id: 'later-2' } } } });
    for (const each of waiting.slice(0, MAX - 1)) expect(await each).toMatchObject({ status: 200 });
  });

  it('a stop is not replaced by a zero velocity or by a call that the robot may refuse, and takes the place of a cancel', async () => {
    const others = [
      { skill: 'stop', action_id: 'a' },
      { skill: 'set_velocity', action_id: 'b' },
      ...times(MAX - 2, (i) => ({ skill: 'cancel', parameters: { action_id: `x-${i}` }, action_id: `c-${i}` })),
    ];
    const waiting = await waitingStops(MAX, (i) => command(silent, others[i] as object));
    const odd = command(silent, { skill: 'stop', parameters: { hard: true }, action_id: 'odd' });
    expect(await odd).toMatchObject({
      status: 429,
      body: { code: 'account.limit_reached', details: { limit: 'waiting_stops', max: MAX } },
    });
    const second = stop(silent, 'd');
    await arrival(MAX + 1);
    expectGaveWay(await waiting[0], 'a');
    expect(await stop(lively, 'e')).toMatchObject({ status: 200 });
    expectGaveWay(await waiting[MAX - 1], `c-${MAX - 3}`);
    wake();
    expect(await second).toMatchObject({ status: 200 });
    const left = await Promise.all(waiting.slice(1, MAX - 1));
    expect(left.map(({ status }) => status)).toEqual(Array(MAX - 2).fill(200));
  });

  it('disconnected callers do not block others', async () => {
    const leaving = new AbortController();
    const gone = times(MAX, (i) => stop(silent, `gone-${i}`, { signal: leaving.signal }));
    await arrival(MAX);
    leaving.abort();
    expect((await stop(lively, 'here')).status).toBe(200);
    const staying = stop(silent, 'staying');
    await arrival(MAX + 1);
    wake();
    expect((await staying).status).toBe(200);
    await Promise.allSettled(gone);
  });

  it('stops for unknown robots, or robots with another owner, take no place', async () => {
    const waiting = await waitingStops(MAX);
    const id = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const strange = times(60, (i) => stop(i % 2 === 0 ? theirs : id(i), `strange-${i}`));
    expect(await stop(lively, 'here')).toMatchObject({ status: 200 });
    for (const answer of await Promise.all(strange)) expect(answer).toMatchObject({ status: 404 });
    wake();
    expect((await Promise.all(waiting)).filter(({ status }) => status === 200)).toHaveLength(MAX - 1);
  });
});

it('P7: ten times as many stops at once as may wait, half from callers that disconnect, leave places, robots and accounts free', async () => {
  const max = 24;
  setMax(max);
  const leaving = new AbortController();
  const flood = times(10 * max, (i) => stop(silent, `flood-${i}`, i % 2 === 0 ? { signal: leaving.signal } : {}));
  expect(await stop(lively, 'here')).toMatchObject({ status: 200 });
  expect(await stop(theirs, 'there', { key: service.keys[1] })).toMatchObject({ status: 200 });
  leaving.abort();
  expect(await stop(lively, 'here again')).toMatchObject({ status: 200 });
  const last = stop(silent, 'last');
  await expect.poll(() => came.includes('last'), PATIENTLY).toBe(true);
  wake();
  expect(await last).toMatchObject({ status: 200 });
  const answers = await Promise.all(flood);
  const statuses = answers.map(({ status }) => status);
  // Stops whose callers have disconnected get no answer.
  expect(statuses.filter((status) => ![200, 499, 504].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 504).length).toBeGreaterThanOrEqual(4 * max);
  // All places are free again.
  came.length = 0;
  service.sfu.answer = async ({ payload }) => {
    const actionId = JSON.parse(payload).options.action_id;
    const meta = { action_id: actionId, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    return JSON.stringify({ status: 'done', result: {}, meta });
  };
  const after = await Promise.all(times(max, (i) => stop(silent, `after-${i}`)));
  expect(after.map(({ status }) => status)).toEqual(Array(max).fill(200));
});

describe('places of stops, drawn by chance', () => {
  it.each([1, 2, 3, 4])('the latest stop of its kind keeps its place, and ended stops leave nothing, seed %i', (seed) => {
    const places = new StopPlaces();
    const max = 5;
    let state = seed;
    const draw = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    type Waiting = { account: number; robotId: string; kind: string | null; leave: () => void; gaveWay: boolean };
    let waiting: Waiting[] = [];
    const wrong: string[] = [];
    for (let step = 0; step < 1_000; step += 1) {
      if (draw(4) === 0) {
        for (const ended of waiting.splice(draw(waiting.length), 1)) ended.leave();
        continue;
      }
      const account = draw(2);
      const kind = [null, 'stop', 'stop', 'set_velocity', 'cancel'][draw(5)] ?? null;
      const fresh: Waiting = { account, robotId: `${account}/${draw(4)}`, kind, leave: () => {}, gaveWay: false };
      const giveWay = () => {
        fresh.gaveWay = true;
      };
      const leave = places.enter(String(account), { robotId: fresh.robotId, kind, giveWay }, max);
      if (leave === null) {
        if (kind !== null) wrong.push(`step ${step}: ${kind} was refused`);
        continue;
      }
      fresh.leave = leave;
      waiting.push(fresh);
      for (const one of waiting.filter(({ gaveWay }) => gaveWay)) {
        const later = waiting.slice(waiting.indexOf(one) + 1);
        const isCovered = later.some(({ robotId, kind }) => robotId === one.robotId && kind === one.kind);
        if (one.kind !== null && !isCovered) wrong.push(`step ${step}: ${one.kind} gave way to none of its kind`);
      }
      waiting = waiting.filter(({ gaveWay }) => !gaveWay);
      // Only robots with at most one stop of each kind may exceed the bound.
      const mine = waiting.filter((one) => one.account === account);
      const atMost = Math.max(max, 3 * new Set(mine.map(({ robotId }) => robotId)).size);
      if (mine.length > atMost) wrong.push(`step ${step}: ${mine.length} wait`);
    }
    expect(wrong).toEqual([]);
    for (const { leave } of waiting) leave();
    expect(places.count).toBe(0);
  });
});
