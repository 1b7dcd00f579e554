import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { grantOnlyKey } from '../../src/control-service/accounts.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { newApiKey } from '../../src/control-service/secrets.ts';
import { DATABASES } from './helpers/databases.ts';
import { type Answer, startTestService, type TestService } from './helpers/service.ts';
import { times } from './helpers/times.ts';

const PREFIXES = ['/v1', '/rcs/v1'];
const wrongOf = (pin: string): string => (pin === '000000' ? '000001' : '000000');
const statusesOf = (answers: Answer[]): number[] => answers.map((answer) => answer.status).sort();

let service: TestService;
let id: string;
let pin: string;

async function issueRobot(): Promise<{ id: string; pin: string }> {
  const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
  return { id: robot.id, pin: pinCode };
}
async function newAccount(): Promise<string> {
  const key = newApiKey(randomBytes);
  await grantOnlyKey(service.deps, randomBytes(6).toString('hex'), key);
  return key;
}
const claimAt = (at: TestService, pinCode: string, key = service.keys[0], robotId = id) =>
  at.send('POST', `/v1/robots/${robotId}/claim`, { body: { pin_code: pinCode }, key });
const claim = (pinCode: string, key?: string, robotId?: string) => claimAt(service, pinCode, key, robotId);
const waitOf = (answer: Answer): number => {
  expect(answer).toMatchObject({ status: 429, body: { code: 'claim.rate_limited' } });
  const waitS = Number(answer.headers.get('retry-after'));
  expect(answer.body.details.retry_after_s).toBe(waitS);
  expect(answer.body.message).toContain(`Try again in ${waitS} s`);
  return waitS;
};

describe.each(DATABASES)('a claim on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    ({ id, pin } = await issueRobot());
  });
  afterAll(() => service.close());

  it.each(PREFIXES)('a claim with the PIN gives the robot to the caller alone (%s)', async (prefix) => {
    const send = (key?: string) =>
      service.send('POST', `${prefix}/robots/${id}/claim`, { body: { pin_code: pin }, ...(key ? { key } : {}) });
    expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(404);
    const claimed = await send();
    expect(claimed.status).toBe(200);
    expect(claimed.body.result ?? claimed.body).toMatchObject({ id, name: 'Bolt', model: 'h1', type: 'physical' });
    expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(200);
    expect(await send(service.keys[1])).toMatchObject({ status: 409, body: { code: 'claim.already_claimed' } });
  });

  it('a claim of the owner succeeds again and changes nothing', async () => {
    await claim(pin);
    const before = await service.send('GET', `/rcs/v1/robots/${id}`);
    service.clock.advanceMs(60_000);
    expect((await claim(pin)).status).toBe(200);
    expect((await claim(wrongOf(pin))).status).toBe(400);
    expect((await service.send('GET', `/rcs/v1/robots/${id}`)).body).toEqual(before.body);
  });

  it('a claim with a wrong PIN is 400, and after five wrong PINs 429 for exactly the time that the answer states', async () => {
    for (const _ of times(5, () => 0)) {
      expect(await claim(wrongOf(pin))).toMatchObject({ status: 400, body: { code: 'claim.wrong_pin' } });
      service.clock.advanceMs(10_000);
    }
    const waitS = waitOf(await claim(pin));
    expect(waitS).toBe(850);
    service.clock.advanceMs((waitS - 1) * 1000);
    expect(waitOf(await claim(pin))).toBe(1);
    service.clock.advanceMs(1000);
    expect((await claim(wrongOf(pin))).status).toBe(400);
    expect(waitOf(await claim(pin))).toBe(10);
    service.clock.advanceMs(10_000);
    expect((await claim(pin)).status).toBe(200);
  });

  it('a claim with the right PIN is not delayed by the guesses of others', async () => {
    for (const _ of times(5, () => 0)) await claim(wrongOf(pin));
    waitOf(await claim(wrongOf(pin)));
    expect((await claim(pin, service.keys[1])).status).toBe(200);
  });

  it('each further caller has one try after ten wrong PINs of all callers', async () => {
    for (const key of service.keys) {
      for (const _ of times(5, () => 0)) expect((await claim(wrongOf(pin), key)).status).toBe(400);
    }
    service.clock.advanceMs(100_000);
    const [third, fourth] = [await newAccount(), await newAccount()];
    expect((await claim(wrongOf(pin), third)).status).toBe(400);
    // The ten wrong PINs of the others leave the window before the third caller's own does.
    expect(waitOf(await claim(pin, third))).toBe(800);
    expect((await claim(pin, fourth)).status).toBe(200);
  });

  it('a caller with twenty wrong PINs for many robots gets 429, and other callers do not', async () => {
    const others = await Promise.all(times(5, issueRobot));
    for (const other of others.slice(0, 4)) {
      for (const _ of times(5, () => 0)) expect((await claim(wrongOf(other.pin), service.keys[0], other.id)).status).toBe(400);
    }
    expect(waitOf(await claim(pin))).toBe(900);
    expect((await claim(pin, service.keys[1])).status).toBe(200);
    service.clock.advanceMs(900_000);
    expect((await claim(others[4]?.pin ?? '', service.keys[0], others[4]?.id)).status).toBe(200);
  });

  it('of 50 concurrent claims with a wrong PIN, five are checked', async () => {
    const answers = await Promise.all(times(50, () => claim(wrongOf(pin))));
    expect(statusesOf(answers)).toEqual([...Array(5).fill(400), ...Array(45).fill(429)]);
  });

  it('of 50 concurrent claims with wrong PINs for ten robots, twenty are checked', async () => {
    const others = await Promise.all(times(10, issueRobot));
    const answers = await Promise.all(times(50, (i) => claim('wrong', service.keys[0], others[i % 10]?.id)));
    expect(statusesOf(answers)).toEqual([...Array(20).fill(400), ...Array(30).fill(429)]);
  });

  it('50 concurrent claims with the right PIN are 200 each time', async () => {
    const answers = await Promise.all(times(50, () => claim(pin)));
    expect(statusesOf(answers)).toEqual(Array(50).fill(200));
  });

  it('if two callers claim at once with the PIN, one gets the robot, and neither is counted as wrong', async () => {
    const answers = await Promise.all(times(20, (i) => claim(pin, service.keys[i % 2 === 0 ? 0 : 1])));
    expect(statusesOf(answers)).toEqual([...Array(10).fill(200), ...Array(10).fill(409)]);
    const other = await issueRobot();
    for (const key of service.keys) {
      for (const _ of times(5, () => 0)) expect((await claim(wrongOf(other.pin), key, other.id)).status).toBe(400);
    }
  });

  it('a claim is 404 for an unknown robot and 409 for a robot with another owner, and neither counts', async () => {
    const made = await service.send('POST', '/v1/robots', {
      body: { name: 'A', model: 'm', type: 'virtual' },
      key: service.keys[1],
    });
    for (const _ of times(25, () => 0)) {
      expect((await claim('1', service.keys[0], made.body.result.id)).status).toBe(409);
      for (const id of [made.body.result.id.replace(/.$/, 'g'), '00000000-0000-7000-8000-000000000000']) {
        const { status, body } = await claim('1', service.keys[0], id);
        expect([status, body.code, body.message]).toEqual([404, 'robot.not_found', expect.stringContaining('letter by letter')]);
      }
    }
    expect((await claim(pin)).status).toBe(200);
  });
});

describe('claims at two instances on one PostgreSQL', () => {
  let other: TestService;
  beforeAll(async () => {
    // Few connections: a caller that waits for a lock must not starve the one that holds it.
    service = await startTestService({ database: 'PostgreSQL', poolSize: 2 });
    other = await service.startBeside();
  });
  beforeEach(async () => {
    await service.reset();
    ({ id, pin } = await issueRobot());
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  it('of 50 wrong PINs at once, each caller gets five guesses, and the right owner is admitted among them', async () => {
    const owner = await newAccount();
    const guesses = times(50, (i) => claimAt(i % 2 === 0 ? service : other, wrongOf(pin), service.keys[i % 4 < 2 ? 0 : 1]));
    const right = claimAt(other, pin, owner);
    const answers = await Promise.all(guesses);
    expect((await right).status).toBe(200);
    for (const first of [0, 2]) {
      const ofCaller = statusesOf(answers.filter((_, i) => i % 4 === first || i % 4 === first + 1));
      expect(ofCaller.filter((status) => status === 400).length).toBeLessThanOrEqual(5);
      // The answers after the owner's are 409.
      expect(ofCaller.filter((status) => ![400, 409, 429].includes(status))).toEqual([]);
    }
  });

  it('of 50 wrong PINs at once from one caller, five are checked', async () => {
    const answers = await Promise.all(times(50, (i) => claimAt(i % 2 === 0 ? service : other, wrongOf(pin))));
    expect(statusesOf(answers)).toEqual([...Array(5).fill(400), ...Array(45).fill(429)]);
    expect(waitOf(await claimAt(other, pin))).toBe(900);
  });

  it('of wrong PINs from 24 callers at once, ten are checked, and one of each caller after that', async () => {
    const keys = await Promise.all(times(24, newAccount));
    const answers = await Promise.all(
      keys.flatMap((key, i) => times(3, (n) => claimAt((i + n) % 2 === 0 ? service : other, wrongOf(pin), key))),
    );
    const letThrough = statusesOf(answers).filter((status) => status === 400).length;
    // Ten at most, in any order, and one from each caller without a guess among those ten.
    expect(letThrough).toBeGreaterThanOrEqual(24);
    expect(letThrough).toBeLessThanOrEqual(10 + 24);
    const perCaller = keys.map((_, i) => answers.slice(i * 3, i * 3 + 3).filter((answer) => answer.status === 400).length);
    expect(Math.min(...perCaller)).toBe(1);
    // No caller has a second try after ten wrong PINs.
    for (const key of keys) waitOf(await claimAt(service, pin, key));
  });

  it('a robot can be deleted while it is claimed', async () => {
    for (const round of times(10, (i) => i)) {
      const robot = await issueRobot();
      expect((await claimAt(service, robot.pin, service.keys[0], robot.id)).status).toBe(200);
      const answers = await Promise.all([
        claimAt(other, wrongOf(robot.pin), service.keys[0], robot.id),
        service.send('DELETE', `/v1/robots/${robot.id}`),
        claimAt(other, robot.pin, service.keys[1], robot.id),
      ]);
      expect(answers[1].status, `round ${round}`).toBe(204);
      expect([400, 409, 429]).toContain(answers[0].status);
      // The robot has an owner, or its PIN ended with that owner.
      expect(answers[2].status).toBe(409);
      service.clock.advanceMs(900_000);
    }
  });
});
