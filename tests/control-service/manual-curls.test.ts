/** Each curl command of the reference, run by a shell and sent to the service, is answered as the page shows. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_FACE } from '../../src/control-service/faces.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { routesOf } from '../../src/control-service/routes.ts';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { doneReply } from '../client/helpers/fake-room.ts';
import { obedientExtra } from './helpers/obedient.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/http.md'), 'utf8');
const BASE_URL = 'http://service.test';
const SECTION = /^## (\w+)\n(?:(?!## ).*\n)*?Answered with (\d+):\n\n```sh\n([\s\S]*?)\n```(?:\n\n```json\n([\s\S]*?)\n```)?/gm;

/** The part of the robot's state that the service reports. */
const STATE = {
  runtime: {
    status: 'busy',
    active_action: { name: 'go_to', phase: 'walking', started_at_ms: 2 },
    last_action: { name: 'stop', status: 'done', finished_at_ms: 1 },
  },
  robot: { status: 'moving', pose: { position: [1.1, -0.5, 0], yaw_deg: 31.5 }, held_entity_ids: ['cube_3'] },
};

interface Printed {
  operationId: string;
  status: number;
  curl: string;
  answer: unknown;
}
const PRINTED: Printed[] = [...PAGE.matchAll(SECTION)].map(([, operationId = '', status, curl = '', answer]) => ({
  operationId,
  status: Number(status),
  curl,
  answer: answer === undefined ? undefined : JSON.parse(answer),
}));

/** Returns the arguments of the command as a shell passes them to curl. */
function wordsOf(curl: string, variables: Record<string, string>): string[] {
  const script = `set -u; curl() { printf '%s\\0' "$@"; }; ${curl}`;
  // Without standard input: a shell whose input is a socket acts as a login shell and reads files of its user.
  const said = execFileSync('sh', ['-ec', script], { stdio: ['ignore', 'pipe', 'pipe'], env: variables, encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}

/** Returns the request that curl would send. @throws Error for an option that this function does not support */
function requestOf(words: string[]): { method: string; path: string; headers: Record<string, string>; body?: string } {
  const request = { method: 'GET', path: '', headers: {} as Record<string, string>, body: undefined as string | undefined };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-s') continue;
    const value = word.startsWith('-') ? (rest.shift() ?? '') : word;
    if (word === '-X') request.method = value;
    else if (word === '-d') request.body = value;
    else if (word === '-H') {
      const [name = '', ...text] = value.split(': ');
      request.headers[name] = text.join(': ');
    } else if (word.startsWith(BASE_URL)) request.path = word.slice(BASE_URL.length);
    else throw new Error(`The page gives curl the unknown option ${word}.`);
  }
  const { body, ...head } = request;
  return body === undefined ? head : { ...head, body };
}

/** Returns the field names in an answer, at any depth; the meaning of the names differs from robot to robot. */
function namesOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [`${at}/${name}`, ...namesOf(inner, `${at}/${name}`)]);
}

describe('the curls of docs/reference/http.md', () => {
  let service: TestService;
  let robotId: string;
  let keyId: string;
  let linkId: string;
  let physical: { id: string; pin: string };
  beforeAll(async () => {
    service = await startTestService();
    // The setting of `npm start`.
    service.deps.settings.viewerUrl = 'http://localhost:8080';
    await service.reset();
    const { body } = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
    robotId = body.result.id;
    const issued = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    const key = await service.send('POST', '/v1/api-keys', { body: { name: 'to be revoked' } });
    keyId = key.body.result.id;
    physical = { id: issued.robot.id, pin: issued.pinCode };
    service.sfu.identities = [simulatorIdentity(robotId)];
    service.sfu.answer = ({ method, payload, room }) => {
      if (method === 'runtime.state') {
        const extra = obedientExtra(service.sfu.rooms.get(room) ?? '');
        return JSON.stringify({ ...STATE, robot: { ...STATE.robot, extra } });
      }
      const { options } = JSON.parse(payload) as { options?: { action_id?: string } };
      const result = { applied: { vx: 0.5, vy: 0, wz: 0 }, moved: { dx: 0.5, dy: 0, dyaw: 0 } };
      return JSON.stringify(doneReply(options?.action_id ?? 'none', result));
    };
  });
  afterAll(() => service.close());

  /** Makes the link that the page lists and revokes; the session is open by then. */
  async function makeLink(): Promise<string> {
    const wanted = { participant_identity: 'operator-1', participant_name: 'Ada', access: 'drive' };
    const { body } = await service.send('POST', `/v1/robots/${robotId}/session/participant-token`, { body: wanted });
    return body.result.link_id;
  }

  it('the reference has a curl for each operation', () => {
    const operations = routesOf(PUBLIC_FACE).map(({ operationId }) => operationId);
    expect(PRINTED.map(({ operationId }) => operationId).sort()).toEqual(operations.sort());
    expect(PRINTED.find(({ operationId }) => operationId === 'sessionCommand')?.answer).toBeDefined();
  });

  // In the order of the page: a session is open before it is commanded.
  it.each(PRINTED)('$operationId is answered with $status', async ({ operationId, status, curl, answer }) => {
    if (operationId === 'listLinks') linkId = await makeLink();
    const words = wordsOf(curl, {
      BASE_URL,
      PLATFORM_API_KEY: service.keys[0],
      ROBOT_ID: operationId === 'claimRobot' ? physical.id : robotId,
      PIN: physical.pin,
      KEY_ID: keyId,
      LINK_ID: linkId,
    });
    const { method, path, headers, body } = requestOf(words);
    const { operationId: sent } =
      routesOf(PUBLIC_FACE).find(
        (route) =>
          route.method.toUpperCase() === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      ) ?? {};
    expect(sent).toBe(operationId);
    // Without the test's own key: the key in the printed header must admit the request.
    const reply = await service.send(method, path, { key: null, headers, ...(body === undefined ? {} : { body }) });
    expect([reply.status, reply.body]).toEqual([status, status === 204 ? null : expect.objectContaining({ code: 'ok' })]);
    if (answer !== undefined) expect(namesOf(reply.body).sort()).toEqual(namesOf(answer).sort());
  });
});
