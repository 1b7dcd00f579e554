/** Section 4.1 of the interface specification, row by row; a test has the words of its row. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { BOTH_FACES, faceClient } from './helpers/both-faces.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

describe.each(BOTH_FACES)('specification 4.1, $face face on $database', ({ face, database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());
  const { send, read, createRobot } = faceClient(face, () => service);
  const meta = { action_id: 'a-1', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
  /** A robot with a session and its runtime in the room. */
  const createReadyRobot = async (): Promise<string> => {
    const { id } = await createRobot();
    await send('POST', `/v1/robots/${id}/session`);
    service.sfu.identities = [`simplesim:${id}`];
    service.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
    return id;
  };

  it('Claim robot | POST /v1/robots/{robot_id}/claim | {pin_code} | 200 {code, result: robot}', async () => {
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    const claimed = read('robot', await send('POST', `/v1/robots/${robot.id}/claim`, { pin_code: pinCode }));
    expect(claimed).toMatchObject({ id: robot.id, model: 'h1', name: 'Bolt', type: 'physical' });
    expect(read('robot', await send('GET', `/v1/robots/${robot.id}`)).id).toBe(robot.id);
  });

  it('List robots | GET /v1/robots | none | {code, next_id, result: [robot], total}', async () => {
    const ids: string[] = [];
    for (const name of ['Ada', 'Bea', 'Cleo']) {
      ids.push((await createRobot(name)).id);
      service.clock.advanceMs(1);
    }
    const first = read('robots', await send('GET', '/v1/robots?limit=2'));
    expect(first).toMatchObject({ robots: [{ id: ids[0], name: 'Ada' }, { name: 'Bea' }], next_id: ids[1], total: 3 });
    const second = read('robots', await send('GET', `/v1/robots?limit=2&after_id=${first.next_id}`));
    expect(second).toMatchObject({ robots: [{ name: 'Cleo' }], next_id: null, total: 3 });
    expect(second.robots).toHaveLength(1);
  });

  it('Get robot | GET /v1/robots/{robot_id} | none | {code, result: robot}', async () => {
    const { id } = await createRobot();
    const robot = read('robot', await send('GET', `/v1/robots/${id}`));
    expect(robot).toMatchObject({ id, model: 'simplesim-h1', name: 'Ada', type: 'virtual' });
  });

  it('Update robot | PATCH /v1/robots/{robot_id} | {name} | {code, result: robot} with new name', async () => {
    const { id } = await createRobot();
    expect(read('robot', await send('PATCH', `/v1/robots/${id}`, { name: 'Bea' }))).toMatchObject({ id, name: 'Bea' });
    expect(read('robot', await send('GET', `/v1/robots/${id}`)).name).toBe('Bea');
  });

  it('Delete robot | DELETE /v1/robots/{robot_id} | none | 204, no body', async () => {
    const { id } = await createRobot();
    expect(await send('DELETE', `/v1/robots/${id}`)).toMatchObject({ status: 204, body: null });
    expect((await send('GET', `/v1/robots/${id}`)).status).toBe(404);
  });

  it('Create robot (virtual) | POST /v1/robots | {name, model, type} | {code, result: robot} with type virtual', async () => {
    const answer = await send('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
    const { robot, pin_code: pin } = read('created', answer);
    expect(robot).toMatchObject({ name: 'Ada', model: 'm', type: 'virtual' });
    // Claimed for the caller: it is theirs at once, and the PIN is told this once.
    expect(pin).toMatch(/^\d{6}$/);
    expect(JSON.stringify((await send('GET', `/v1/robots/${robot.id}`)).body)).not.toContain('pin');
    const withoutType = await send('POST', '/v1/robots', { name: 'Ada', model: 'm' });
    expect(withoutType.status).toBe(face === 'library' ? 200 : 400);
  });

  it('Create session | POST /v1/robots/{robot_id}/session | none required over plain HTTP; client library may pass worker_names | {code, result: {sfu_endpoint, webrtc_token}}', async () => {
    const { id } = await createRobot();
    const answer = read('session', await send('POST', `/v1/robots/${id}/session`));
    const [url, token] =
      face === 'public' ? [answer.sfu_endpoint, answer.webrtc_token] : [answer.livekit_url, answer.participant_token];
    expect(url).toBe('ws://sfu.test:7880');
    const [room] = service.sfu.rooms.keys();
    expect(decodeJwt(token)).toMatchObject({ video: { room, roomJoin: true }, exp: START_MS / 1000 + 14_400 });
    expect(service.sfu.dispatched).toEqual([]);
    const other = await createRobot();
    await send('POST', `/v1/robots/${other.id}/session`, { worker_names: ['eyes', 'ears'] });
    expect(service.sfu.dispatched.map(({ agentName }) => agentName)).toEqual(['eyes', 'ears']);
  });

  it('Delete session | DELETE /v1/robots/{robot_id}/session | none | 204, no body', async () => {
    const { id } = await createRobot();
    await send('POST', `/v1/robots/${id}/session`);
    expect(service.sfu.rooms.size).toBe(1);
    expect(await send('DELETE', `/v1/robots/${id}/session`)).toMatchObject({ status: 204, body: null });
    expect(service.sfu.rooms.size).toBe(0);
    expect((await send('DELETE', `/v1/robots/${id}/session`)).status).toBe(204);
  });

  it('Semantic command | POST /v1/robots/{robot_id}/semantic-command | {command} | {code, result: null}', async () => {
    const id = await createReadyRobot();
    for (const command of ['forward', 'backward', 'left', 'right', 'turn-left', 'turn-right']) {
      const answer = await send('POST', `/v1/robots/${id}/semantic-command`, { command });
      // This one is worded alike on both faces.
      expect(answer).toMatchObject({ status: 200, body: { code: 'ok', result: null } });
    }
    expect(service.sfu.calls).toHaveLength(6);
  });

  it('Participant token | POST /v1/robots/{robot_id}/session/participant-token | argument participant_identity plus others | extra room credential; room keys are built from it; TTL capped at 6 hours server-side', async () => {
    const { id } = await createRobot();
    await send('POST', `/v1/robots/${id}/session`);
    const body = { participant_identity: `simplesim:${id}`, participant_name: 'Viewer', ttl_seconds: 86_400 };
    const token = read('participant', await send('POST', `/v1/robots/${id}/session/participant-token`, body));
    expect(token).toMatchObject({
      room_name: [...service.sfu.rooms.keys()][0],
      livekit_url: 'ws://sfu.test:7880',
      participant_identity: `simplesim:${id}`,
      expires_at: new Date(START_MS + 21_600_000).toISOString(),
    });
    const claims = decodeJwt(token.participant_token);
    expect(claims).toMatchObject({ sub: `simplesim:${id}`, name: 'Viewer', exp: START_MS / 1000 + 21_600 });
  });

  it('Session command | POST /v1/robots/{robot_id}/session/command | {skill, parameters?, action_id?, deadline_s?} | the ActionResult', async () => {
    const id = await createReadyRobot();
    const command = { skill: 'set_velocity', parameters: { vx: 0.5 }, action_id: 'a-1', deadline_s: 20 };
    const result = read('command', await send('POST', `/v1/robots/${id}/session/command`, command));
    expect(result).toEqual({ status: 'done', result: {}, meta });
    const options = { action_id: 'a-1', deadline_s: 20 };
    expect(JSON.parse(service.sfu.calls[0]?.payload ?? '')).toEqual({ name: 'set_velocity', input: { vx: 0.5 }, options });
  });
});
