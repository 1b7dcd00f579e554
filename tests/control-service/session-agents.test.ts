/** The number of agents that a session may send into its room. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions } from '../../src/control-service/db/schema.ts';
import { WORKERS_MAX } from '../../src/protocol/wire/limits.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let id: string;

const names = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => `agent ${from + i}`);
const post = (workerNames: string[], at = service, key = service.keys[0], robotId = id) =>
  at.send('POST', `/rcs/v1/robots/${robotId}/session`, { body: { worker_names: workerNames }, key });
const made = async (key = service.keys[0]): Promise<string> => {
  const { body } = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' }, key });
  return body.result.id;
};
const sentNames = (): string[] => service.sfu.dispatched.map(({ agentName }) => agentName).sort();
const stored = async () => (await service.deps.db.select().from(sessions)).flatMap(({ dispatches }) => dispatches);

describe.each(DATABASES)('the agents of a session on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    id = await made();
  });
  afterAll(() => service.close());

  it('a session has a limited number of agents, however often more are requested; a repeated one counts once', async () => {
    for (let from = 0; from < WORKERS_MAX; from += 4) expect((await post(names(from, 4))).status).toBe(200);
    for (let round = 0; round < 5; round += 1) {
      expect(await post(names(100 * round + 100, 3))).toMatchObject({
        status: 409,
        body: { code: 'session.too_many_workers', details: { fields: ['worker_names'], max: WORKERS_MAX } },
      });
    }
    const again = await post(names(0, WORKERS_MAX));
    expect(again.status).toBe(200);
    expect(again.body.room_metadata.dispatched_agent_names).toEqual(names(0, WORKERS_MAX));
    expect(sentNames()).toEqual(names(0, WORKERS_MAX).sort());
    expect(service.sfu.rooms.size).toBe(1);
    // The session continues, and ends normally.
    expect((await post([])).status).toBe(200);
    const theirs = await made(service.keys[1]);
    expect((await post(names(0, 2), service, service.keys[1], theirs)).status).toBe(200);
  });

  it('concurrent requests for agents share the limit; each agent is sent once, and all are remembered', async () => {
    expect((await post([])).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => post(names(i * 2, 4))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 409].includes(status))).toEqual([]);
    expect(new Set(sentNames()).size).toBe(sentNames().length);
    expect(sentNames().length).toBeLessThanOrEqual(WORKERS_MAX);
    expect((await stored()).map(({ agent_name: name }) => name).sort()).toEqual(sentNames());
    expect((await stored()).filter(({ id: dispatch }) => dispatch === '')).toEqual([]);
  });

  it('agents that could not be sent are not remembered, and can be requested again', async () => {
    await post(['a']);
    service.sfu.failing.add('dispatch b');
    expect((await post(['b'])).status).toBe(503);
    expect((await stored()).map(({ agent_name: name }) => name)).toEqual(['a']);
    service.sfu.failing.clear();
    expect((await post(['b'])).body.room_metadata.dispatched_agent_names).toEqual(['a', 'b']);
  });
});

describe('two instances on one PostgreSQL', () => {
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService({ database: 'PostgreSQL', poolSize: 3 });
    other = await service.startBeside();
  });
  beforeEach(async () => {
    await service.reset();
    id = await made();
  });
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  it('two instances share the limit on agents, and forget none', async () => {
    expect((await post([])).status).toBe(200);
    await Promise.all(Array.from({ length: 12 }, (_, i) => post(names(i * 4, 4), i % 2 === 0 ? service : other)));
    expect(sentNames()).toHaveLength(WORKERS_MAX);
    expect((await stored()).map(({ agent_name: name }) => name).sort()).toEqual(sentNames());
  });
});
