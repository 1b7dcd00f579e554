/**
 * Random robots and sessions as existing clients may request them, with all answers that they get. Such a client can
 * read each answer (the set-up of the tests checks every answer against the client models), and the service accepts
 * each request.
 */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { robots, sessions } from '../../src/control-service/db/schema.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { reopenRooms } from '../../src/control-service/operations/sessions.ts';
import * as models from '../../src/protocol/client-models/http.ts';
import { WORKERS_MAX } from '../../src/protocol/wire/limits.ts';
import { readRoomFacts } from '../../src/worker/room-facts.ts';
import { countsNow } from '../client-models/check.ts';
import { DATABASES } from '../control-service/helpers/databases.ts';
import { type Answer, startTestService, type TestService } from '../control-service/helpers/service.ts';
import { type Chance, createChance } from '../oracle/chance.ts';

const ROBOTS = 25;
const STEPS_OF_A_ROBOT = 6;

/** Texts that are hard to process: names of JavaScript, other scripts, lookalikes of JSON, SQL and paths, the longest ones. */
const HARD_TEXTS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'null',
  '0',
  ' spaced  out ',
  'rcw',
  'rcw-x',
  'simplesim:x',
  'ünïcödé',
  '机器人',
  '🤖🦾',
  '‮ reversed',
  '"quoted" \\ and \n broken',
  "'; drop table robots; --",
  '../../etc/passwd',
  '<b>bold</b>',
  '{"a": 1}',
];
const text = (chance: Chance, max: number): string => {
  if (chance.happens(0.1)) return '🦾'.repeat(max);
  const hard = chance.oneOf(HARD_TEXTS);
  return [...(chance.happens(0.5) ? hard : `${hard} ${chance.below(1e6)}`)].slice(0, max).join('');
};
/** Returns a value, null, or no field. */
const maybe = <T>(chance: Chance, field: string, value: () => T): object =>
  chance.weighted([
    [3, () => ({ [field]: value() })],
    [1, () => ({ [field]: null })],
    [2, () => ({})],
  ])();

const detailsOf = (chance: Chance): object => ({
  ...maybe(chance, 'description', () =>
    chance.happens(0.1) ? 'd'.repeat(2_000) : chance.happens(0.2) ? '' : text(chance, 2_000),
  ),
  ...maybe(chance, 'language', () => chance.oneOf(models.ROBOT_LANGUAGES)),
  ...maybe(chance, 'voice', () => chance.oneOf(models.ROBOT_VOICES)),
});

const namesOf = (chance: Chance): string[] => Array.from({ length: chance.oneOf([0, 0, 1, 1, 2, 16]) }, () => text(chance, 128));

const sessionOf = (chance: Chance): object => ({
  ...maybe(chance, 'worker_names', () => namesOf(chance)),
  ...maybe(chance, 'scene_id', () => (chance.happens(0.2) ? '' : text(chance, 128))),
  ...maybe(chance, 'workers', () => JSON.parse('{"__proto__": {"count": 1}, "rcw": {}}')),
  ...maybe(chance, 'rsl_session_grant', () => 'Z3JhbnQ='),
  ...maybe(chance, 'rsl_session_pub', () => 'cHVi'),
});

const tokenOf = (chance: Chance, robotId: string): object => ({
  participant_identity: chance.oneOf([`simplesim:${robotId}`, `rcw-${robotId}`, `client ${text(chance, 200)}`]),
  ...maybe(chance, 'participant_name', () => (chance.happens(0.2) ? '' : text(chance, 256))),
  ...maybe(chance, 'ttl_seconds', () => 1 + chance.below(1e9)),
});

describe.each(DATABASES)('requests and answers of existing clients, on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  const send = (method: string, path: string, body?: object): Promise<Answer> =>
    service.send(method, `/rcs/v1${path}`, body ? { body } : {});
  async function taken(
    method: string,
    path: string,
    model: { parse(value: unknown): unknown } | null,
    body?: object,
  ): Promise<Answer> {
    // Such a client sends this request.
    if (model) model.parse(body);
    const answer = await send(method, path, body);
    expect([method, path, JSON.stringify(body)?.slice(0, 300), answer.status, answer.status < 400 ? null : answer.body]).toEqual([
      method,
      path,
      JSON.stringify(body)?.slice(0, 300),
      method === 'DELETE' ? 204 : 200,
      null,
    ]);
    return answer;
  }

  async function newRobot(chance: Chance): Promise<string> {
    if (chance.happens(0.3)) {
      const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: text(chance, 255), model: text(chance, 255) });
      await taken('POST', `/robots/${robot.id}/claim`, null, { pin_code: pinCode });
      return robot.id;
    }
    const body = { name: text(chance, 255), model: text(chance, 255), ...detailsOf(chance) };
    const { robot } = (await taken('POST', '/robots', models.clientCreateRobotSchema, body)).body;
    expect(robot).toMatchObject({ name: body.name, model: body.model });
    return robot.id;
  }

  /** Checks that the metadata names exactly the requested agents; agents beyond the limit of a session change nothing. */
  async function openSession(chance: Chance, robotId: string, before: string[]): Promise<string[]> {
    const body = sessionOf(chance) as { worker_names?: string[] | null };
    const names = [...new Set([...before, ...(body.worker_names ?? [])])];
    if (names.length > WORKERS_MAX) {
      const { status, body: refusal } = await send('POST', `/robots/${robotId}/session`, body);
      expect([status, refusal.code]).toEqual([409, 'session.too_many_workers']);
      return before;
    }
    const { room_metadata: metadata, room_name: room } = (
      await taken('POST', `/robots/${robotId}/session`, models.clientSessionRequestSchema, body)
    ).body;
    const [robot] = await service.deps.db.select().from(robots).where(eq(robots.id, robotId));
    const itself = robot?.type === 'physical' ? 'rcw' : `simplesim:${robotId}`;
    expect(Object.keys(metadata.required_participants).sort()).toEqual(names.length > 0 ? [...names].sort() : [itself]);
    expect(Object.keys(metadata.dispatches).sort()).toEqual([...names].sort());
    expect(metadata.dispatched_agent_names).toEqual(names);
    // A worker reads the same from the room, by either of the fields.
    const reported = JSON.parse(service.sfu.rooms.get(room) ?? '');
    expect(reported).toEqual(metadata);
    for (const field of ['dispatches', 'dispatched_agent_names']) {
      const { [field]: _, ...rest } = reported;
      expect([...readRoomFacts(JSON.stringify(rest)).agentNames].sort()).toEqual([...names].sort());
    }
    return names;
  }

  it.each([1, 2, 3])('random requests of existing clients are accepted, and their answers can be read; seed %i', async (seed) => {
    const chance = createChance(seed);
    const before = countsNow().http;
    for (let count = 0; count < ROBOTS; count += 1) {
      const robotId = await newRobot(chance);
      let names: string[] = [];
      let isOpen = false;
      for (let step = 0; step < STEPS_OF_A_ROBOT; step += 1) {
        const path = `/robots/${robotId}`;
        const act = chance.weighted<() => Promise<void>>([
          [2, async () => void (await taken('GET', path, null))],
          [
            2,
            async () => {
              const body = { ...maybe(chance, 'name', () => text(chance, 255)), ...detailsOf(chance) };
              await taken('PATCH', path, models.clientUpdateRobotSchema, body);
            },
          ],
          [
            4,
            async () => {
              names = await openSession(chance, robotId, names);
              isOpen = true;
            },
          ],
          [
            1,
            async () => {
              await taken('DELETE', `${path}/session`, null);
              [names, isOpen] = [[], false];
            },
          ],
          [
            2,
            async () => {
              if (!isOpen) return;
              const body = tokenOf(chance, robotId);
              await taken('POST', `${path}/session/participant-token`, models.clientParticipantTokenRequestSchema, body);
            },
          ],
          [1, async () => void (await taken('GET', `/robots?limit=${1 + chance.below(100)}`, null))],
        ]);
        await act();
        service.clock.advanceMs(chance.below(10_000));
      }
      if (chance.happens(0.3)) await taken('DELETE', `/robots/${robotId}`, null);
    }
    expect(countsNow().http - before).toBeGreaterThan(ROBOTS * 2);
  });

  it('rooms of an older service get current metadata when they are requested again, and when the SFU has lost them', async () => {
    const robotId = await newRobot(createChance(4));
    const opened = (await send('POST', `/robots/${robotId}/session`, { worker_names: ['rcw', '__proto__'] })).body;
    const metadata = () => JSON.parse(service.sfu.rooms.get(opened.room_name) ?? '{}');
    const older = {
      ...opened.room_metadata,
      required_participants: [`simplesim:${robotId}`],
      dispatches: [{ id: 'dispatch-1', agent_name: 'rcw' }],
    };
    service.sfu.rooms.set(opened.room_name, JSON.stringify(older));
    expect(readRoomFacts(JSON.stringify(older)).agentNames).toContain('rcw');
    const joined = (await taken('POST', `/robots/${robotId}/session`, null, {})).body;
    expect(joined.room_metadata).toEqual(opened.room_metadata);
    expect(metadata()).toEqual(opened.room_metadata);
    service.sfu.rooms.clear();
    expect(await reopenRooms(service.deps)).toBe(1);
    expect(metadata()).toEqual(opened.room_metadata);
    // The database rows are those of the older service, too.
    const [row] = await service.deps.db.select().from(sessions).where(eq(sessions.robotId, robotId));
    expect(row?.dispatches.map(({ agent_name: name }) => name)).toEqual(['rcw', '__proto__']);
  });

  it('robots of an older service without details are read with the defaults', async () => {
    const { body } = await send('POST', '/robots', { name: 'a', model: 'b', description: 'x', language: 'vi', voice: 'mms' });
    const nothing = { description: null, language: null, voice: null, createdBy: null };
    await service.deps.db.update(robots).set(nothing).where(eq(robots.id, body.robot.id));
    const { body: robot } = await taken('GET', `/robots/${body.robot.id}`, null);
    expect(robot).toMatchObject({ description: '', language: 'en', voice: 'kokoro', created_by: 'platform' });
  });
});
