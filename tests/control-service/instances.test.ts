/** Two instances of the service on one PostgreSQL, and the effects of concurrent callers on each other. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions } from '../../src/control-service/db/schema.ts';
import { DATABASES } from './helpers/databases.ts';
import { type Answer, startTestService, type TestService } from './helpers/service.ts';
import { times } from './helpers/times.ts';

const FACES = [
  { face: 'public', prefix: '/v1' },
  { face: 'library', prefix: '/rcs/v1' },
];
const VIRTUAL = { name: 'Ada', model: 'm', type: 'virtual' };
const statusesOf = (answers: Answer[]): number[] => answers.map((answer) => answer.status);

async function createAt(service: TestService, name = 'Ada'): Promise<string> {
  const { status, body } = await service.send('POST', '/v1/robots', { body: { ...VIRTUAL, name } });
  expect(status).toBe(200);
  return body.result.id;
}

describe('two instances on one PostgreSQL', () => {
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    one = await startTestService({ database: 'PostgreSQL', poolSize: 3 });
    two = await one.startBeside();
  });
  beforeEach(() => one.reset());
  afterAll(async () => {
    await two.close();
    await one.close();
  });

  it.each(FACES)('two instances serve one fleet ($face face): made at one, used and deleted at the other', async ({ prefix }) => {
    const made = await one.send('POST', `${prefix}/robots`, { body: VIRTUAL });
    const { id } = made.body.result ?? made.body.robot;
    expect((await two.send('GET', `${prefix}/robots/${id}`)).status).toBe(200);
    expect((await two.send('PATCH', `${prefix}/robots/${id}`, { body: { name: 'Bea' } })).status).toBe(200);
    const seen = await one.send('GET', `${prefix}/robots/${id}`);
    expect((seen.body.result ?? seen.body).name).toBe('Bea');
    expect((await two.send('GET', `${prefix}/robots`)).body.total).toBe(1);
    expect((await two.send('POST', `${prefix}/robots/${id}/session`, { body: { worker_names: [] } })).status).toBe(200);
    const token = { participant_identity: `simplesim:${id}` };
    expect((await one.send('POST', `${prefix}/robots/${id}/session/participant-token`, { body: token })).status).toBe(200);
    one.sfu.identities = [`simplesim:${id}`];
    const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    one.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
    const command = { body: { skill: 'go_to' } };
    expect((await two.send('POST', `${prefix}/robots/${id}/session/command`, command)).status).toBe(200);
    expect((await one.send('DELETE', `${prefix}/robots/${id}/session`)).status).toBe(204);
    expect((await two.send('POST', `${prefix}/robots/${id}/session/command`, command)).status).toBe(409);
    expect((await one.send('DELETE', `${prefix}/robots/${id}`)).status).toBe(204);
    expect((await two.send('GET', `${prefix}/robots/${id}`)).status).toBe(404);
  });

  it('a session that is requested at both instances at once is one session, with each worker sent once', async () => {
    const id = await createAt(one);
    const answers = await Promise.all(
      times(8, (i) => (i % 2 === 0 ? one : two).send('POST', `/rcs/v1/robots/${id}/session`, { body: { worker_names: ['a'] } })),
    );
    expect(statusesOf(answers)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map((answer) => answer.body.room_name)).size).toBe(1);
    expect(one.sfu.rooms.size).toBe(1);
    expect(one.sfu.dispatched).toHaveLength(1);
    // Each caller gets its own place.
    expect(new Set(answers.map((answer) => answer.body.participant_token)).size).toBe(8);
  });

  it('a robot that is deleted while its sessions are opened leaves neither session nor room', async () => {
    for (const round of times(6, (i) => i)) {
      const id = await createAt(one);
      const answers = await Promise.all([
        one.send('POST', `/v1/robots/${id}/session`),
        two.send('DELETE', `/v1/robots/${id}`),
        two.send('POST', `/v1/robots/${id}/session`),
      ]);
      expect(answers[1].status, `round ${round}`).toBe(204);
      for (const opened of [answers[0], answers[2]]) expect([200, 404]).toContain(opened.status);
      expect(await one.deps.db.select().from(sessions)).toEqual([]);
      expect([...one.sfu.rooms.keys()]).toEqual([]);
    }
  });

  it('twenty requests at each of two instances with three connections each all finish', async () => {
    const ids = await Promise.all(times(4, () => createAt(one)));
    const answers = await Promise.all(
      times(40, (i) => (i % 2 === 0 ? one : two).send('POST', `/v1/robots/${ids[i % 4]}/session`, { body: {} })),
    );
    expect(statusesOf(answers)).toEqual(Array(40).fill(200));
    expect(one.sfu.rooms.size).toBe(4);
  });
});

describe.each(DATABASES)('at the same time on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('two concurrent updates of different details both take effect, and of the same detail one does', async () => {
    const id = await createAt(service);
    const patch = (body: object) => service.send('PATCH', `/rcs/v1/robots/${id}`, { body });
    const answers = await Promise.all([
      patch({ description: 'sorts' }),
      patch({ voice: 'mms' }),
      patch({ language: 'vi' }),
      ...times(5, (i) => patch({ name: `name ${i}` })),
    ]);
    expect(statusesOf(answers)).toEqual(Array(8).fill(200));
    const { body } = await service.send('GET', `/rcs/v1/robots/${id}`);
    expect(body).toMatchObject({ description: 'sorts', voice: 'mms', language: 'vi', name: expect.stringMatching(/^name \d$/) });
  });

  it('many concurrent deletes of one robot: one is 204, the others 404', async () => {
    const id = await createAt(service);
    const answers = await Promise.all(times(8, () => service.send('DELETE', `/v1/robots/${id}`)));
    expect(statusesOf(answers).sort()).toEqual([204, ...Array(7).fill(404)]);
  });

  it('a list that is paged while robots come and go contains every lasting robot once', async () => {
    // Many in one millisecond: the clock of the test does not advance.
    const staying = await Promise.all(times(30, (i) => createAt(service, `stays ${i}`)));
    const leaving = await Promise.all(times(10, (i) => createAt(service, `leaves ${i}`)));
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await service.send('GET', `/v1/robots?limit=4${after}`);
      seen.push(...body.result.map((robot: { id: string }) => robot.id));
      if (body.next_id === null) break;
      after = `&after_id=${body.next_id}`;
      // Robots are added before the cursor, in its millisecond, and after it; one is removed, possibly the cursor's own.
      await createAt(service, 'comes');
      const leaves = leaving.includes(body.next_id) ? body.next_id : leaving.find((id) => !seen.includes(id));
      if (leaves !== undefined) {
        leaving.splice(leaving.indexOf(leaves), 1);
        expect((await service.send('DELETE', `/v1/robots/${leaves}`)).status).toBe(204);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort());
    expect(staying.filter((id) => !seen.includes(id))).toEqual([]);
  });

  it('a list is in order of age, also for robots of the same millisecond', async () => {
    const ids: string[] = [];
    for (const i of times(12, (index) => index)) {
      ids.push(await createAt(service, `robot ${i}`));
      service.clock.advanceMs(i % 3 === 0 ? 1 : 0);
    }
    const { body } = await service.send('GET', '/v1/robots?limit=100');
    expect(body.result.map((robot: { id: string }) => robot.id)).toEqual(ids);
  });
});
