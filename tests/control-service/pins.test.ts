/** The life of a PIN: a limited number of wrong tries, an end with the owner's claim, and a new PIN from the operator. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { grantOnlyKey } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { newApiKey } from '../../src/control-service/secrets.ts';
import { readServiceArgs } from '../../src/launch/service-args.ts';
import { DATABASES } from './helpers/databases.ts';
import { operateOn } from './helpers/operate.ts';
import { type Answer, startTestService, type TestService } from './helpers/service.ts';

/** A small budget, so that it is soon used up. */
const BUDGET = 24;
const { windowMs } = DEFAULT_SETTINGS.claimLimit;
const wrongOf = (pin: string): string => (pin === '000000' ? '000001' : '000000');

let service: TestService;
let id: string;
let pin: string;

const operate = (...args: string[]) => operateOn(service, ...args);
const limitTries = ({ deps }: TestService): void => {
  deps.settings = { ...deps.settings, claimLimit: { ...deps.settings.claimLimit, perPin: BUDGET } };
};
async function issue(): Promise<void> {
  const { out } = await operate('robots', 'issue', '--name', 'Bolt', '--model', 'h1');
  [, id = '', pin = ''] = /^id {3}(\S+)\nPIN {2}(\d{6})$/.exec(out) ?? [];
}
const reissue = async (): Promise<string> => {
  const { out } = await operate('robots', 'reissue-pin', id);
  const [, robotId, fresh] = /^id {3}(\S+)\nPIN {2}(\d{6})$/.exec(out) ?? [];
  expect(robotId).toBe(id);
  return fresh ?? '';
};
const claimAt = (at: TestService, pinCode: string, key = service.keys[0]) =>
  at.send('POST', `/v1/robots/${id}/claim`, { body: { pin_code: pinCode }, key });
const claim = (pinCode: string, key?: string) => claimAt(service, pinCode, key);
const expectVoid = (answer: Answer, reason: string) =>
  expect(answer).toMatchObject({ status: 409, body: { code: 'claim.pin_void', details: { reason } } });
const newAccount = async (): Promise<string> => {
  const key = newApiKey(randomBytes);
  await grantOnlyKey(service.deps, randomBytes(6).toString('hex'), key);
  return key;
};
/** Sends wrong PINs from as many accounts as necessary, without waiting. @returns how many of them were checked */
async function guess(count: number, at: (i: number) => TestService = () => service): Promise<number> {
  let lookedAt = 0;
  for (let i = 0; i < count; ) {
    const key = await newAccount();
    // After the first ten of all callers, each caller has one try.
    const tries = Math.min(i < 10 ? 5 : 1, count - i);
    for (let n = 0; n < tries; n += 1, i += 1) {
      const { status } = await claimAt(at(i), wrongOf(pin), key);
      if (status === 400) lookedAt += 1;
    }
  }
  return lookedAt;
}
const robotOf = async (key: string) => (await service.send('GET', `/rcs/v1/robots/${id}`, { key })).body;
const pinEvents = () => service.log.filter((entry) => entry.event === 'pin_needed');

it('a PIN has a hundred wrong tries by default', () => {
  expect(DEFAULT_SETTINGS.claimLimit.perPin).toBe(100);
});

describe.each(DATABASES)('a PIN on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
    limitTries(service);
  });
  beforeEach(async () => {
    await service.reset();
    await issue();
  });
  afterAll(() => service.close());

  it('a PIN permits a limited number of wrong tries of all callers together, over any time, and no more', async () => {
    const key = await newAccount();
    let lookedAt = 0;
    // A single caller who keeps within the rate limit for days.
    for (let i = 0; i < 2 * BUDGET; i += 1) {
      const { status } = await claim(wrongOf(pin), key);
      if (status === 400) lookedAt += 1;
      else service.clock.advanceMs(windowMs);
    }
    expect(lookedAt).toBe(BUDGET);
    expectVoid(await claim(pin, key), 'wrong_pins');
    expectVoid(await claim(pin, service.keys[1]), 'wrong_pins');
    expect(pinEvents()).toEqual([{ level: 'warn', event: 'pin_needed', robot_id: id, reason: 'wrong_pins' }]);
    // The metric stays set in every instance until the PIN is replaced, so that monitoring sees it.
    const app = createApp(service.deps, { metricsAccess: 'anybody' });
    expect(await (await app.request('/metrics')).text()).toMatch(/^rcs_robots_without_pin 1$/m);
    expect((await operate('robots', 'list')).out).toMatch(/ Bolt +nobody yet +void: too many wrong PINs +2030/);
    pin = await reissue();
    expect((await claim(pin, service.keys[1])).status).toBe(200);
    const after = createApp(service.deps, { metricsAccess: 'anybody' });
    expect(await (await after.request('/metrics')).text()).toMatch(/^rcs_robots_without_pin 0$/m);
  });

  it('a PIN is not used up by correct tries, nor by its owner’s repeated claims', async () => {
    for (let i = 0; i < BUDGET + 5; i += 1) expect((await claim(pin)).status).toBe(200);
    expect(pinEvents()).toEqual([]);
  });

  it('a PIN is not used up by tries that are refused before the check', async () => {
    const key = await newAccount();
    for (let i = 0; i < 3 * BUDGET; i += 1) await claim(wrongOf(pin), key);
    expect((await claim(pin, service.keys[1])).status).toBe(200);
  });

  it('a PIN of a robot with an owner cannot be used up by others', async () => {
    await claim(pin);
    for (let i = 0; i < BUDGET + 5; i += 1) expect((await claim(wrongOf(pin), service.keys[1])).status).toBe(409);
    expect((await claim(pin)).status).toBe(200);
  });

  it('a PIN ends when its owner gives up the robot: it claims nothing, and the owner’s texts are deleted', async () => {
    await claim(pin);
    const sentence = { name: 'My darling', description: 'mine', voice: 'mms', language: 'vi' };
    expect((await service.send('PATCH', `/rcs/v1/robots/${id}`, { body: sentence })).status).toBe(200);
    expect((await service.send('DELETE', `/v1/robots/${id}`)).status).toBe(204);
    for (const key of service.keys) expectVoid(await claim(pin, key), 'released');
    expect(pinEvents()).toEqual([{ level: 'warn', event: 'pin_needed', robot_id: id, reason: 'released' }]);
    expect((await operate('robots', 'list')).out).toMatch(/ Bolt +nobody yet +void: released +2030/);
    const fresh = await reissue();
    expect((await claim(pin, service.keys[0])).status).toBe(fresh === pin ? 200 : 400);
    expect((await claim(fresh, service.keys[1])).status).toBe(200);
    expect(await robotOf(service.keys[1])).toMatchObject({ name: 'Bolt', description: '', voice: 'kokoro', language: 'en' });
  });

  it('a PIN that is replaced during a check is void', async () => {
    const right = claim(pin);
    const fresh = await reissue();
    // Either the claim came first, or its PIN is already replaced.
    expect([200, 400]).toContain((await right).status);
    const owner = (await service.send('GET', `/v1/robots/${id}`)).status === 200;
    expect((await claim(fresh, service.keys[owner ? 0 : 1])).status).toBe(200);
  });

  it('reissue-pin keeps the owner, and reports an unknown robot', async () => {
    await claim(pin);
    await reissue();
    expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(200);
    await expect(operate('robots', 'reissue-pin', '00000000-0000-7000-8000-000000000000')).rejects.toThrow('No robot has the id');
    expect(() => readServiceArgs(['robots', 'reissue-pin'])).toThrow('Name the robot by its id');
    expect(() => readServiceArgs(['robots', 'reissue-pin', 'Bolt'])).toThrow('Name the robot by its id');
  });
});

describe('a PIN at two instances on one PostgreSQL', () => {
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService({ database: 'PostgreSQL', poolSize: 3 });
    other = await service.startBeside();
    for (const one of [service, other]) limitTries(one);
  });
  beforeEach(async () => {
    await service.reset();
    await issue();
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  it('a PIN has one budget for two instances, also for concurrent tries', async () => {
    expect(await guess(BUDGET - 10, (i) => (i % 2 === 0 ? service : other))).toBe(BUDGET - 10);
    const keys = await Promise.all(Array.from({ length: 20 }, newAccount));
    const answers = await Promise.all(keys.map((key, i) => claimAt(i % 2 === 0 ? service : other, wrongOf(pin), key)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    for (const answer of answers) if (answer.status !== 400) expectVoid(answer, 'wrong_pins');
    expectVoid(await claimAt(other, pin), 'wrong_pins');
    pin = await reissue();
    expect((await claimAt(other, pin)).status).toBe(200);
  });
});
