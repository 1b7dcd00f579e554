import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, type TaskMeta } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import { systemClock } from '../../src/control-service/clock.ts';
import type { LogEntry } from '../../src/control-service/deps.ts';
import type { RpcCall } from '../../src/control-service/sfu-admin.ts';
import { type HttpServer, openHttpServer } from '../../src/launch/http-server.ts';
import { DATABASES } from '../control-service/helpers/databases.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';
import { obedientState, runtimeReply } from './runtime-reply.ts';
import { ensureSchemathesis, runSchemathesis } from './schemathesis.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The number of requests that the fuzzer sent. */
    cases?: number;
  }
}

/** `npm run lab -- fuzz` sets these values. */
const EXAMPLES = Number(process.env.SIMPLESIM_FUZZ_EXAMPLES ?? 0);
const SEED = Number(process.env.SIMPLESIM_FUZZ_SEED ?? 20_261_121);
const FACES = { PGlite: { face: 'public', prefix: '' }, PostgreSQL: { face: 'library', prefix: '/rcs' } } as const;
/** The short run tests each face with one database, the long run with both. */
const CASES = DATABASES.flatMap(({ database }) =>
  EXAMPLES > 0 ? Object.values(FACES).map((face) => ({ database, ...face })) : [{ database, ...FACES[database] }],
);

const ROBOT_OF_ROOM = /^robot-([\da-f-]{36})/;

beforeAll(() => ensureSchemathesis(), 600_000);

describe.concurrent.each(CASES)('schemathesis against the $face face on $database', ({ database, prefix }) => {
  let service: TestService;
  let http: HttpServer;
  const troubles: LogEntry[] = [];
  beforeAll(async () => {
    service = await startTestService({ database });
    await service.reset();
    const { sfu } = service;
    // Each room contains the runtime of its robot.
    const listIdentities = async (room: string) => [`simplesim:${ROBOT_OF_ROOM.exec(room)?.[1]}`];
    const answer = (call: RpcCall) =>
      call.method === 'runtime.state' ? obedientState(sfu.rooms.get(call.room) ?? '') : runtimeReply(call);
    Object.assign(sfu, { listIdentities, answer });
    const log = (entry: LogEntry) => {
      if (entry.event === 'unforeseen_error') troubles.push(entry);
    };
    // A long run makes more robots and sessions than an account may have.
    const accountLimits = {
      robots: 1e6,
      openSessions: 1e6,
      linksOfSession: 1e6,
      apiKeys: 1e6,
      creationsPerMinute: 1e6,
      waitingCommands: 1e6,
      requestsAtOnce: 1e6,
    };
    const settings = { ...service.deps.settings, pinHashCost: 2, accountLimits };
    http = await openHttpServer(0, createApp({ ...service.deps, clock: systemClock, log, settings, randomBytes }));
  });
  afterAll(async () => {
    await http.close();
    await service.close();
  });
  const run = async (meta: TaskMeta, more: { robotId?: string; phases?: string[] }) => {
    const url = `http://127.0.0.1:${http.port}${prefix}`;
    const report = await runSchemathesis({ url, apiKey: service.keys[0], maxExamples: EXAMPLES || 4, seed: SEED, ...more });
    meta.cases = report.cases;
    expect(report.ok, `${report.output}\n${JSON.stringify(troubles)}`).toBe(true);
    expect(troubles).toEqual([]);
    expect(report.cases).toBeGreaterThan(100);
  };

  // Random requests are for the long run, each night.
  it('finds nothing', ({ task }) => run(task.meta, EXAMPLES > 0 ? {} : { phases: ['examples', 'coverage'] }), 3_600_000);

  if (EXAMPLES === 0) return;
  it('finds nothing when every request is about one robot with a session', async ({ task }) => {
    const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
    const robotId: string = created.body.result.id;
    await service.send('POST', `/v1/robots/${robotId}/session`);
    await run(task.meta, { robotId, phases: ['examples', 'coverage', 'fuzzing'] });
    expect((await service.send('GET', `/v1/robots/${robotId}`)).status).toBe(200);
  }, 3_600_000);
});
