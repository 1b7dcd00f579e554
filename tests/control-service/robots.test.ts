import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

/** An account is an organization with one team, so one id appears in three fields. */
const accountIds = (id: unknown) => ({ team_id: id, organization_id: id, created_by: id });

describe.each(DATABASES)('on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  const FACES = [
    { face: 'public', prefix: '' },
    { face: 'library', prefix: '/rcs' },
  ] as const;
  const VIRTUAL = { name: 'Ada', model: 'simplesim-h1', type: 'virtual' };
  const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

  async function create(name = 'Ada', key?: string): Promise<string> {
    const answer = await service.send('POST', '/v1/robots', { body: { ...VIRTUAL, name }, ...(key ? { key } : {}) });
    expect(answer.status).toBe(200);
    return answer.body.result.id;
  }

  describe('robots on the public face', () => {
    it('creates, gets, renames, lists and deletes robots on the public face', async () => {
      const created = await service.send('POST', '/v1/robots', { body: VIRTUAL });
      expect(created).toMatchObject({
        status: 200,
        body: { code: 'ok', result: VIRTUAL, pin_code: expect.stringMatching(/^\d{6}$/) },
      });
      const { id } = created.body.result;
      expect(Object.keys(created.body.result).sort()).toEqual(['id', 'model', 'name', 'type']);
      const robot = { ...VIRTUAL, id };
      expect(await service.send('GET', `/v1/robots/${id}`)).toMatchObject({ status: 200, body: { code: 'ok', result: robot } });
      const renamed = await service.send('PATCH', `/v1/robots/${id}`, { body: { name: 'Bea' } });
      expect(renamed).toMatchObject({ status: 200, body: { code: 'ok', result: { ...robot, name: 'Bea' } } });
      const listed = await service.send('GET', '/v1/robots');
      expect(listed.body).toEqual({ code: 'ok', result: [{ ...robot, name: 'Bea' }], next_id: null, total: 1 });
      expect(await service.send('DELETE', `/v1/robots/${id}`)).toMatchObject({ status: 204, body: null });
      expect(await service.send('GET', `/v1/robots/${id}`)).toMatchObject({ status: 404, body: { code: 'robot.not_found' } });
    });
  });

  describe('robots on the library face', () => {
    it('creates, gets, renames, lists and deletes robots on the library face', async () => {
      const body = { name: 'Ada', model: 'm', description: 'Sorts', language: 'zh-tw', voice: 'piper' };
      const created = await service.send('POST', '/rcs/v1/robots', { body });
      expect(created).toMatchObject({ status: 200, body: { robot: { ...body, type: 'virtual' }, pin_code: expect.any(String) } });
      const { id } = created.body.robot;
      const full = await service.send('GET', `/rcs/v1/robots/${id}`);
      expect(full.body).toMatchObject({
        ...body,
        id,
        public_key: null,
        ...accountIds(full.body.created_by),
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      });
      service.clock.advanceMs(5_000);
      const patched = await service.send('PATCH', `/rcs/v1/robots/${id}`, { body: { name: null, voice: null } });
      expect(patched.body).toMatchObject({ name: 'Ada', voice: 'kokoro', language: 'zh-tw', created_at: full.body.created_at });
      expect(Date.parse(patched.body.updated_at) - Date.parse(full.body.updated_at)).toBe(5_000);
      expect((await service.send('GET', '/rcs/v1/robots')).body).toEqual({ robots: [patched.body], next_id: null, total: 1 });
      expect((await service.send('DELETE', `/rcs/v1/robots/${id}`)).status).toBe(204);
    });
  });

  describe.each(FACES)('paging on the $face face', ({ face, prefix }) => {
    it('pages through all robots, each once, in order', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 7; i += 1) {
        ids.push(await create(`robot ${i}`));
        service.clock.advanceMs(1);
      }
      const seen: string[] = [];
      for (let after = ''; ; ) {
        const { body } = await service.send('GET', `${prefix}/v1/robots?limit=3${after}`);
        seen.push(...(face === 'public' ? body.result : body.robots).map((robot: { id: string }) => robot.id));
        expect(body.total).toBe(7);
        if (body.next_id === null) break;
        after = `&after_id=${body.next_id}`;
      }
      expect(seen).toEqual(ids);
    });

    it('has 20 robots on a page by default', async () => {
      for (let i = 0; i < 21; i += 1) await create();
      const { body } = await service.send('GET', `${prefix}/v1/robots`);
      expect(face === 'public' ? body.result : body.robots).toHaveLength(20);
      expect(body.next_id).toEqual(expect.any(String));
    });
  });

  const EVERY_OPERATION: [string, string][] = [
    ['GET', '/v1/robots'],
    ['POST', '/v1/robots'],
    ['GET', '/v1/robots/ID'],
    ['PATCH', '/v1/robots/ID'],
    ['DELETE', '/v1/robots/ID'],
    ['POST', '/v1/robots/ID/claim'],
    ['POST', '/v1/robots/ID/session'],
    ['DELETE', '/v1/robots/ID/session'],
    ['POST', '/v1/robots/ID/session/participant-token'],
    ['POST', '/v1/robots/ID/session/control-grant'],
    ['POST', '/v1/robots/ID/session/command'],
    ['POST', '/v1/robots/ID/semantic-command'],
    ['GET', '/v1/robots/ID/session'],
    ['GET', '/v1/sessions'],
    ['GET', '/v1/api-keys'],
    ['POST', '/v1/api-keys'],
    ['DELETE', '/v1/api-keys/ID'],
  ];
  const VALID_BODIES: Record<string, unknown> = {
    '/v1/robots/ID': { name: 'x' },
    '/v1/robots/ID/claim': { pin_code: '000000' },
    '/v1/robots/ID/session': {},
    '/v1/robots/ID/session/participant-token': { participant_identity: 'x' },
    '/v1/robots/ID/session/control-grant': {
      public_key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    },
    '/v1/robots/ID/session/command': { skill: 'set_velocity' },
    '/v1/robots/ID/semantic-command': { command: 'forward' },
  };
  const CASES = FACES.flatMap(({ face, prefix }) => EVERY_OPERATION.map(([method, path]) => ({ face, prefix, method, path })));

  describe.each(CASES)('$method $path on the $face face', ({ prefix, method, path }) => {
    it('a missing, wrong, malformed or revoked key is refused with 401', async () => {
      const url = `${prefix}${path.replace('ID', await create())}`;
      const wrong = [null, '', 'sk_live_wrong', `${service.keys[0]}x`, service.keys[0].slice(0, -1)];
      for (const key of wrong) {
        const answer = await service.send(method, url, { key });
        expect(answer).toMatchObject({
          status: 401,
          body: {
            code: 'http.401',
            message: 'unauthorized',
            details: { request_id: expect.any(String), hint: expect.stringMatching(/^[A-Z].*\.$/) },
          },
        });
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
      const basic = await service.send(method, url, { key: null, headers: { Authorization: `Basic ${service.keys[0]}` } });
      expect(basic).toMatchObject({ status: 401, body: { code: 'http.401', details: { reason: 'malformed' } } });
    });

    it('the robot of another account is answered like an unknown robot', async () => {
      if (!path.includes('/robots/ID')) return;
      const id = await create();
      for (const [robotId, key] of [
        [id, service.keys[1]],
        ['nobody', service.keys[0]],
        ["' or 1=1", service.keys[0]],
      ] as const) {
        const body = method === 'POST' || method === 'PATCH' ? VALID_BODIES[path] : undefined;
        const answer = await service.send(method, `${prefix}${path.replace('ID', encodeURIComponent(robotId))}`, { key, body });
        // Claiming is the one operation that reveals that a robot has another owner (409).
        const claimOfOther = path.endsWith('/claim') && robotId === id;
        expect(answer.status).toBe(claimOfOther ? 409 : 404);
        expect(answer.body.code).toBe(claimOfOther ? 'claim.already_claimed' : 'robot.not_found');
      }
      expect((await service.send('GET', `/v1/robots/${id}`)).body.result.name).toBe('Ada');
    });
  });

  describe('bodies that are refused', () => {
    const long = 'x'.repeat(256);
    it.each([
      ['POST', '/v1/robots', {}, 'name must be text of 1 to 255 characters.'],
      ['POST', '/v1/robots', { ...VIRTUAL, name: '' }, 'name must be text of 1 to 255 characters.'],
      ['POST', '/v1/robots', { ...VIRTUAL, model: long }, 'model must be text of 1 to 255 characters.'],
      ['POST', '/v1/robots', { ...VIRTUAL, name: 5 }, 'name must be text of 1 to 255 characters.'],
      ['POST', '/v1/robots', { name: 'a', model: 'b' }, 'type must be "virtual"'],
      ['POST', '/v1/robots', { ...VIRTUAL, type: 'physical' }, 'type must be "virtual"'],
      ['POST', '/rcs/v1/robots', { ...VIRTUAL, type: 'physical' }, 'a physical robot is claimed with its PIN'],
      ['POST', '/rcs/v1/robots', { ...VIRTUAL, language: 'de' }, 'language must be one of "en", "vi", "zh-tw".'],
      ['POST', '/rcs/v1/robots', { ...VIRTUAL, voice: 'x' }, 'voice must be one of "kokoro", "piper", "breezy", "mms".'],
      ['POST', '/v1/robots', [], 'The request body must be a JSON object.'],
      [
        'POST',
        '/v1/robots',
        JSON.stringify('{"name":"a"}'),
        'The request body is a JSON text and must be an object. Send the object',
      ],
      ['POST', '/v1/robots', 'null', 'The request body must be a JSON object.'],
      ['POST', '/v1/robots', '{"name": ', 'The request body is not JSON: at line 1, column 10, the text ends too early.'],
      ['POST', '/v1/robots', '{"name": NaN}', 'The request body is not JSON: at line 1, column 10, there is NaN'],
      ['PATCH', '/v1/robots/ID', {}, 'name must be text of 1 to 255 characters.'],
      ['PATCH', '/v1/robots/ID', { voice: 'mms' }, 'name must be text of 1 to 255 characters.'],
      ['PATCH', '/rcs/v1/robots/ID', { unknown: 1 }, 'The body holds nothing to change'],
      ['PATCH', '/rcs/v1/robots/ID', { name: '' }, 'name must be text of 1 to 255 characters.'],
      ['POST', '/v1/robots/ID/claim', {}, 'pin_code must be text of 1 to 64 characters.'],
      ['POST', '/v1/robots/ID/claim', { pin_code: 123456 }, 'pin_code must be text of 1 to 64 characters.'],
      ['POST', '/v1/robots/ID/session', { worker_names: 'a' }, 'worker_names must be a list of at most 16 worker names.'],
      ['POST', '/v1/robots/ID/session', { worker_names: [''] }, 'worker_names.0 must be text of 1 to 128 characters.'],
      ['POST', '/v1/robots/ID/session', { scene_id: 5 }, 'scene_id must be text of at most 128 characters.'],
      ['POST', '/v1/robots/ID/session', { workers: '{}' }, 'workers is a JSON text and must be an object.'],
      ['POST', '/v1/robots/ID/session', { workers: ['a'] }, 'workers must be an object.'],
      ['POST', '/v1/robots/ID/session', { rsl_session_pub: 5 }, 'rsl_session_pub must be text.'],
      ['POST', '/v1/robots/ID/session/participant-token', {}, 'participant_identity must be text of 1 to 256 characters.'],
      [
        'POST',
        '/v1/robots/ID/session/participant-token',
        { participant_identity: 'x'.repeat(257) },
        'participant_identity must be text',
      ],
      [
        'POST',
        '/v1/robots/ID/session/participant-token',
        { participant_identity: 'x', ttl_seconds: 0 },
        'ttl_seconds must be a whole number',
      ],
      [
        'POST',
        '/v1/robots/ID/session/participant-token',
        { participant_identity: 'x', ttl_seconds: 1.5 },
        'ttl_seconds must be a whole',
      ],
      [
        'POST',
        '/v1/robots/ID/session/participant-token',
        { participant_identity: 'x', ttl_seconds: '9' },
        'ttl_seconds must be a whole',
      ],
      ['POST', '/v1/robots/ID/session/command', {}, 'skill must be text of 1 to 64 characters.'],
      ['POST', '/v1/robots/ID/session/command', { skill: 'x', deadline_s: -1 }, 'deadline_s must be a number of seconds above 0'],
      ['POST', '/v1/robots/ID/session/command', { skill: 'x', parameters: [] }, 'parameters must be an object.'],
      ['POST', '/v1/robots/ID/semantic-command', { command: 'jump' }, 'command must be one of "forward", "backward"'],
    ])('%s %s %j', async (method, path, body, message) => {
      const answer = await service.send(method, path.replace('ID', await create()), { body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
      expect(answer.body.message).toContain(message);
      expect(answer.body.details.request_id).toBe(answer.headers.get('x-request-id'));
    });

    it('an invalid body is refused with all its invalid fields', async () => {
      const answer = await service.send('POST', '/v1/robots', { body: {} });
      expect(answer.body.details.fields).toEqual(['name', 'model', 'type']);
    });

    it('a body that is not JSON by its header, or is too large, is refused', async () => {
      const form = await service.send('POST', '/v1/robots', {
        body: 'name=a',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(form).toMatchObject({ status: 415, body: { code: 'request.not_json' } });
      const large = await service.send('POST', '/v1/robots', { body: { ...VIRTUAL, name: 'x'.repeat(70_000) } });
      expect(large).toMatchObject({ status: 413, body: { code: 'request.too_large' } });
    });
  });

  describe('a robot that is not there', () => {
    it('an unknown robot is 404 or 405 with the error body, after the check of the key', async () => {
      expect(await service.send('GET', '/v1/nothing')).toMatchObject({ status: 404, body: { code: 'http.not_found' } });
      const put = await service.send('PUT', '/rcs/v1/robots');
      expect(put).toMatchObject({ status: 405, body: { code: 'http.method_not_allowed' } });
      expect(put.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
      expect((await service.send('GET', '/v1/nothing', { key: null })).status).toBe(401);
    });
  });
});
