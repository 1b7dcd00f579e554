/** When the clock of the service is set back by a day, no one is locked out for that day, and nothing lasts a day longer. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions } from '../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { IdleSessions } from '../../src/control-service/operations/idle-sessions.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { DATABASES } from './helpers/databases.ts';
import { type Answer, startTestService, type TestService } from './helpers/service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const { claimLimit, accountLimits } = DEFAULT_SETTINGS;
const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };

let service: TestService;
let original: TestService['deps']['settings'];
const create = () => service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
const withSession = async (): Promise<string> => {
  const { id } = (await create()).body.result;
  expect((await service.send('POST', `/v1/robots/${id}/session`)).status).toBe(200);
  return id;
};
const retryAfterMs = ({ headers }: Answer): number => Number(headers.get('retry-after')) * 1000;

describe.each(DATABASES)('a clock that is set back by a day, on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
    original = service.deps.settings;
  });
  beforeEach(async () => {
    await service.reset();
    service.deps.settings = original;
  });
  afterAll(() => service.close());

  it('after the clock is set back, robots can be made as soon as the limit per minute permits', async () => {
    service.deps.settings = { ...original, accountLimits: { ...accountLimits, creationsPerMinute: 6 } };
    for (let i = 0; i < 6; i += 1) expect((await create()).status).toBe(200);
    service.clock.setBackMs(DAY_MS);
    const refused = await create();
    expect(refused).toMatchObject({ status: 429, body: { details: { limit: 'creations_per_minute' } } });
    expect(retryAfterMs(refused)).toBeLessThanOrEqual(MINUTE_MS);
    service.clock.advanceMs(retryAfterMs(refused));
    expect((await create()).status).toBe(200);
    // The limit still applies.
    expect((await create()).status).toBe(429);
  });

  it('after the clock is set back, a robot can be claimed as soon as the window of wrong PINs permits', async () => {
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bea', model: 'h1' });
    const claim = (pin: string) => service.send('POST', `/v1/robots/${robot.id}/claim`, { body: { pin_code: pin } });
    for (let i = 0; i < claimLimit.perCallerAndRobot; i += 1) await claim(pinCode === '000000' ? '111111' : '000000');
    service.clock.setBackMs(DAY_MS);
    const refused = await claim(pinCode);
    expect(refused).toMatchObject({ status: 429, body: { code: 'claim.rate_limited' } });
    expect(retryAfterMs(refused)).toBeLessThanOrEqual(claimLimit.windowMs);
    service.clock.advanceMs(retryAfterMs(refused));
    expect(await claim(pinCode)).toMatchObject({ status: 200 });
  });

  it('after the clock is set back, a session can be opened that a killed service left half open', async () => {
    const id = await withSession();
    const phaseEndsAt = new Date(service.clock.nowMs() + 30_000);
    await service.deps.db.update(sessions).set({ phase: 'opening', phaseEndsAt }).where(eq(sessions.robotId, id));
    service.clock.setBackMs(DAY_MS);
    expect((await service.send('POST', `/v1/robots/${id}/session`)).status).toBe(200);
    // Its room is also ended without a request.
    service.clock.advanceMs(DAY_MS);
    await service.deps.db.update(sessions).set({ phase: 'closing', phaseEndsAt }).where(eq(sessions.robotId, id));
    service.clock.setBackMs(DAY_MS);
    await new IdleSessions(service.deps).tick();
    expect(await service.deps.db.select().from(sessions)).toEqual([]);
    expect(service.sfu.rooms.size).toBe(0);
  });

  it('after the clock is set back, unused sessions end at the same time as otherwise', async () => {
    const idle = new IdleSessions(service.deps);
    await withSession();
    await idle.tick();
    service.clock.setBackMs(DAY_MS);
    for (let passedMs = 0; passedMs < 5 * 3_600_000; passedMs += 15 * MINUTE_MS) {
      service.clock.advanceMs(15 * MINUTE_MS);
      await idle.tick();
    }
    expect(service.sfu.rooms.size).toBe(1);
    for (let passedMs = 0; passedMs < 2 * 3_600_000; passedMs += 15 * MINUTE_MS) {
      service.clock.advanceMs(15 * MINUTE_MS);
      await idle.tick();
    }
    expect(service.sfu.rooms.size).toBe(0);
  });

  it('after the clock is set back, a command still counts as use of its session', async () => {
    const id = await withSession();
    service.sfu.identities = [`simplesim:${id}`];
    service.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
    service.clock.setBackMs(DAY_MS);
    expect((await service.send('POST', `/v1/robots/${id}/session/command`, { body: { skill: 'stand' } })).status).toBe(200);
    const [session] = await service.deps.db.select().from(sessions);
    expect(session?.lastUsedAt.getTime()).toBe(service.clock.nowMs());
  });
});

describe('a clock that is set while a command waits', () => {
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it.each([
    ['back', DAY_MS],
    ['forward', -DAY_MS],
  ])('a command’s time is neither lengthened nor shortened by a clock %s by a day', async (_, setBackMs) => {
    const id = await withSession();
    service.sfu.identities = [`simplesim:${id}`];
    let asked = 0;
    service.sfu.answer = () => {
      asked += 1;
      if (asked === 1) service.clock.setBackMs(setBackMs);
      // Ten seconds of its time and five of margin.
      service.clock.advanceMs(5_000);
      throw new SfuError('rpc_no_reply', 'late');
    };
    const body = { skill: 'go_to', deadline_s: 10 };
    const answer = await service.send('POST', `/v1/robots/${id}/session/command`, { body });
    expect(answer).toMatchObject({ status: 504, body: { code: 'runtime.timeout' } });
    expect(asked).toBe(3);
  });
});
