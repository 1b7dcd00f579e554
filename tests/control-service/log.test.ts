/** No log entry contains a secret, whatever a request contains and however it fails. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import type { LogEntry } from '../../src/control-service/deps.ts';
import { formatLogLine } from '../../src/control-service/log.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const SECRET = 'hush-hush';

describe.each(DATABASES)('the log on $database', ({ database }) => {
  let service: TestService;
  let secrets: string[];
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    secrets = [...service.keys, SECRET];
  });
  afterAll(() => service.close());
  const expectNoSecrets = (entries: LogEntry[]) => {
    const text = entries.map((entry) => formatLogLine(entry, 0)).join('\n');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encodeURIComponent(secret));
    }
    expect(text).not.toContain('sk_live_');
    expect(text).not.toContain('eyJ');
  };

  /** Every operation, with a secret in each place that can take one. */
  async function askEverything(robotId: string, pin: string): Promise<number[]> {
    const statuses: number[] = [];
    const [key] = service.keys;
    for (const prefix of ['', '/rcs']) {
      const robot = `${prefix}/v1/robots/${robotId}`;
      const requests: [string, string, unknown?][] = [
        ['GET', `${prefix}/v1/robots?after_id=${SECRET}&key=${key}`],
        ['POST', `${prefix}/v1/robots`, { name: SECRET, model: SECRET, type: 'virtual', description: SECRET }],
        ['POST', `${prefix}/v1/robots`, { name: SECRET, model: 5 }],
        ['GET', robot],
        ['PATCH', robot, { name: SECRET }],
        ['POST', `${robot}/claim`, { pin_code: pin }],
        ['POST', `${robot}/claim`, { pin_code: SECRET }],
        ['POST', `${robot}/claim`, `{"pin_code": "${SECRET}`],
        ['POST', `${robot}/session`, { worker_names: [SECRET], scene_id: SECRET }],
        ['POST', `${robot}/session/participant-token`, { participant_identity: SECRET, participant_name: SECRET }],
        [
          'POST',
          `${robot}/session/control-grant`,
          { public_key: { kty: 'OKP', crv: 'Ed25519', x: SECRET, d: SECRET }, holder: SECRET },
        ],
        ['POST', `${robot}/session/command`, { skill: SECRET, parameters: { a: SECRET }, action_id: SECRET }],
        ['POST', `${robot}/semantic-command`, { command: 'forward' }],
        ['POST', `${robot}/semantic-command`, { command: SECRET }],
        ['DELETE', `${robot}/session`],
        ['DELETE', robot],
        ['GET', `${prefix}/v1/robots/${SECRET}`],
        ['PUT', `${prefix}/v1/robots/${SECRET}`],
        ['GET', `${prefix}/v1/${key}`],
        ['GET', `/${key}?${SECRET}`],
      ];
      for (const [method, path, body] of requests) {
        const headers = { 'X-Request-Id': key, Cookie: SECRET, 'User-Agent': SECRET };
        const answer = await service.send(method, path, { ...(body === undefined ? {} : { body }), headers });
        statuses.push(answer.status);
        const token =
          answer.body?.result?.webrtc_token ?? answer.body?.participant_token ?? answer.body?.result?.participant_token;
        if (token) secrets.push(token);
        const newPin = answer.body?.pin_code;
        // Many numbers contain the six digits of a PIN; with its quotes the PIN is unambiguous.
        if (newPin) secrets.push(`"${newPin}"`);
      }
      statuses.push((await service.send('GET', `${prefix}/v1/robots`, { key: SECRET })).status);
    }
    return statuses;
  }

  const issue = async () => {
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    secrets.push(`"${pinCode}"`);
    return [robot.id, pinCode] as const;
  };

  it('the log contains no key, PIN, token or other content of a request, whether it is answered or refused', async () => {
    const statuses = new Set(await askEverything(...(await issue())));
    for (const status of [200, 204, 400, 401, 404, 405, 409]) expect(statuses).toContain(status);
    expect(service.log.length).toBeGreaterThan(35);
    expectNoSecrets(service.log);
  });

  it('the log contains no secret if the SFU fails, or if its answer contains one', async () => {
    for (const call of ['ensureRoom', 'deleteRoom', 'listParticipants']) service.sfu.failing.add(call);
    expect(await askEverything(...(await issue()))).toContain(503);
    expectNoSecrets(service.log);
    service.sfu.failing.clear();
    service.sfu.identities = ['simplesim'];
    service.sfu.answer = () => {
      throw new SfuError('rpc_failed', SECRET);
    };
    await askEverything(...(await issue()));
    expectNoSecrets(service.log);
  });

  it('the log contains no secret after an unexpected error, and still shows where it occurred', async () => {
    const [id, pin] = await issue();
    const broken = new Error(`text with ${SECRET}\n    at ${SECRET} (${SECRET}:1:1)`, { cause: new TypeError(SECRET) });
    service.sfu.signToken = async () => {
      throw broken;
    };
    expect(await askEverything(id, pin)).toContain(500);
    expectNoSecrets(service.log);
    const entry = service.log.find(({ event }) => event === 'unforeseen_error');
    expect(entry).toMatchObject({ level: 'error', error: 'Error < TypeError', at: expect.stringContaining('log.test.ts:') });
    const answered = service.log.find(({ event, status }) => event === 'request' && status === 500);
    expect(answered).toMatchObject({ level: 'error', code: 'internal', request_id: entry?.request_id, robot_id: id });
  });

  it.each([
    [
      'its disk is full, and what to do',
      '53100',
      { event: 'database_disk_full', message: expect.stringContaining('Free some space') },
    ],
    ['it ends its connections', '57P01', { event: 'database_unavailable' }],
    ['nothing answers there', 'ECONNREFUSED', { event: 'database_unavailable' }],
  ])('the log reports a database: %s', async (_what, code, reported) => {
    const [id] = await issue();
    const thrown = Object.assign(new Error(`could not extend file ${SECRET}`), { code });
    const db = new Proxy(service.deps.db, {
      get: (target, name) =>
        name === 'update'
          ? () => ({ set: () => ({ where: () => ({ returning: async () => Promise.reject(thrown) }) }) })
          : Reflect.get(target, name),
    });
    const app = createApp({ ...service.deps, db });
    const headers = { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json' };
    const response = await app.request(`/v1/robots/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ name: 'Ada' }) });
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'database.unavailable' }]);
    expectNoSecrets(service.log);
    const [entry, ...others] = service.log.filter(({ event }) => event !== 'request');
    expect(entry).toMatchObject({ level: 'error', ...reported });
    expect(others).toEqual([]);
  });

  it('the log contains no secret if the database fails with an error that names its parameters', async () => {
    const [id] = await issue();
    const db = new Proxy(service.deps.db, {
      get: (target, name) => {
        if (name !== 'update') return Reflect.get(target, name);
        // A real failure of a real statement, with the name among its parameters.
        return () => ({
          set: (values: Record<string, unknown>) => ({
            where: () => ({ returning: () => target.execute(`insert into nothing_such values ('${values.name}')`) }),
          }),
        });
      },
    });
    const app = createApp({ ...service.deps, db });
    const headers = { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: SECRET });
    const response = await app.request(`/v1/robots/${id}`, { method: 'PATCH', headers, body });
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining(SECRET)]);
    expectNoSecrets(service.log);
    const entry = service.log.find(({ event }) => event === 'unforeseen_error');
    // 42P01: the table does not exist.
    expect(entry?.error).toMatch(/^DrizzleQueryError < \w+ 42P01$/);
  });
});
