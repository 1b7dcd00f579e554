/**
 * The accepted forms of requests, and the parts of every answer. On PostgreSQL, which rejects more than PGlite; the fuzzer
 * uses both.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import { FACES, faceClient } from './helpers/faces.ts';
import { startTestService, type TestService } from './helpers/service.ts';

/** An awaited event comes at once on an idle machine. */
const PATIENTLY = { timeout: 60_000 };
const VIRTUAL = { name: 'Ada', model: 'm', type: 'virtual' };

let service: TestService;
let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  service = await startTestService({ database: 'PostgreSQL' });
  app = createApp(service.deps);
});
beforeEach(() => service.reset());
afterAll(() => service.close());

describe.each(FACES)('requests on the $face face', ({ face, prefix }) => {
  const { send, read, createRobot } = faceClient(face, () => service);
  const raw = (method: string, path: string, init: { body?: BodyInit; headers?: Record<string, string> } = {}) =>
    app.request(`${prefix}${path}`, {
      method,
      ...(init.body === undefined ? {} : { body: init.body }),
      headers: { Authorization: `Bearer ${service.keys[0]}`, ...init.headers },
    });
  const messageOf = async (response: Response): Promise<string> => (await response.json()).message;

  it('requests need no body if no field is required: absent, empty, spaces, of any type, or with a null', async () => {
    const { id } = await createRobot();
    const path = `/v1/robots/${id}/session`;
    expect((await raw('POST', path)).status).toBe(200);
    for (const body of ['', ' \r\n']) {
      for (const type of ['application/json', 'text/plain;charset=UTF-8', '']) {
        const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
        expect((await raw('POST', path, { body, headers })).status).toBe(200);
      }
    }
    const headers = { 'Content-Type': 'application/json' };
    expect((await raw('POST', path, { body: '{"worker_names": null}', headers })).status).toBe(200);
    expect((await raw('DELETE', path, { body: '{"reason": 1}', headers })).status).toBe(204);
  });

  it('requests may contain unknown fields, in bodies and queries', async () => {
    const created = read('created', await send('POST', '/v1/robots', { ...VIRTUAL, colour: 'red', team: { id: 1 } }));
    expect(created.robot).not.toHaveProperty('colour');
    expect((await raw('GET', '/v1/robots?limit=5&verbose=1&verbose=2')).status).toBe(200);
  });

  it('request bodies are JSON in UTF-8 with a matching content type, or 415', async () => {
    const body = new TextEncoder().encode(JSON.stringify(VIRTUAL));
    const sendAs = async (type: string) => {
      const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
      const response = await raw('POST', '/v1/robots', { body, headers });
      return [type, response.status, (await response.json()).code];
    };
    const good = [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON;charset="UTF-8"',
      'application/a+json',
    ];
    for (const type of good) expect(await sendAs(type)).toEqual([type, 200, face === 'public' ? 'ok' : undefined]);
    const bad = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json; charset=latin1', ''];
    for (const type of bad) expect(await sendAs(type)).toEqual([type, 415, 'request.not_json']);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['GZIP, identity', gzipSync],
    ['x-unknown', (text: string) => text],
  ])('compressed request bodies are 415 with advice: %s', async (encoding, compress) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
    const response = await raw('POST', '/v1/robots', { body: compress(JSON.stringify(VIRTUAL)), headers });
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    const { code, message } = await response.json();
    expect([code, message]).toEqual(['request.not_json', expect.stringContaining('without Content-Encoding')]);
  });

  it('request bodies with the encoding `identity` are read', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'Identity' };
    expect((await raw('POST', '/v1/robots', { body: JSON.stringify(VIRTUAL), headers })).status).toBe(200);
  });

  it.each<[string, BodyInit, Record<string, string>]>([
    ['is not JSON', '{"reason": "smo', { 'Content-Type': 'application/json' }],
    ['is not UTF-8', new Uint8Array([0xff, 0xfe]), { 'Content-Type': 'application/json' }],
    ['has another type', 'smoke', { 'Content-Type': 'text/plain' }],
    ['is compressed', gzipSync('{}'), { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
    ['is too large', 'x'.repeat(70_000), { 'Content-Type': 'application/json' }],
    ['is cut off', '{}', { 'Content-Type': 'application/json', 'Content-Length': '20' }],
    ['never comes', new ReadableStream(), { 'Content-Type': 'application/json' }],
  ])('requests press the emergency stop even if their body %s', async (_what, body, headers) => {
    const { id } = await createRobot();
    const init = { method: 'POST', body, headers: { Authorization: `Bearer ${service.keys[0]}`, ...headers }, duplex: 'half' };
    const response = await app.request(`${prefix}/v1/robots/${id}/emergency-stop`, init as RequestInit);
    expect(response.status).toBe(200);
  });

  it('request bodies that are not JSON are rejected with the place of the error', async () => {
    const body = '{\n  "name": "Ada"\n  "model": "m"}';
    const response = await raw('POST', '/v1/robots', { body, headers: { 'Content-Type': 'application/json' } });
    const message = 'The request body is not JSON: at line 3, column 3, "," or "}" is expected.';
    expect([response.status, await messageOf(response)]).toEqual([400, message]);
  });

  it('request bodies that are not UTF-8 are 400; a byte order mark is accepted', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const latin = await raw('POST', '/v1/robots', { body: Buffer.from('{"name": "J\xfcrgen"}', 'latin1'), headers });
    expect([latin.status, await messageOf(latin)]).toEqual([400, 'The request body is not text in UTF-8.']);
    const marked = await raw('POST', '/v1/robots', { body: `\ufeff${JSON.stringify(VIRTUAL)}`, headers });
    expect(marked.status).toBe(200);
  });

  it('requests with NUL or half a surrogate pair in a text are 400, in every field that is stored', async () => {
    const { id } = await createRobot();
    await send('POST', `/v1/robots/${id}/session`);
    const cases: [string, string, Record<string, unknown>][] = [
      ['POST', '/v1/robots', { ...VIRTUAL, name: 'BAD' }],
      ['POST', '/v1/robots', { ...VIRTUAL, model: 'BAD' }],
      ['POST', '/v1/robots', { ...VIRTUAL, description: 'BAD' }],
      ['PATCH', `/v1/robots/${id}`, { name: 'BAD' }],
      ['POST', `/v1/robots/${id}/claim`, { pin_code: 'BAD' }],
      ['POST', `/v1/robots/${id}/session`, { worker_names: ['BAD'] }],
      ['POST', `/v1/robots/${id}/session`, { scene_id: 'BAD' }],
      ['POST', `/v1/robots/${id}/session/participant-token`, { participant_identity: 'BAD' }],
      ['POST', `/v1/robots/${id}/session/participant-token`, { participant_identity: 'x', participant_name: 'BAD' }],
      [
        'POST',
        `/v1/robots/${id}/session/control-grant`,
        { public_key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }, holder: 'BAD' },
      ],
      ['POST', `/v1/robots/${id}/session/command`, { skill: 'BAD' }],
      ['POST', `/v1/robots/${id}/session/command`, { skill: 'x', action_id: 'BAD' }],
    ];
    for (const [method, path, body] of cases) {
      for (const bad of ['a\\u0000b', '\\ud83d', '\\ude00x']) {
        const answer = await send(method, path, JSON.stringify(body).replace('BAD', bad));
        expect([path, answer.status, answer.body.message]).toEqual([path, 400, expect.stringContaining('must not hold NUL')]);
      }
    }
    for (const query of ['after_id=%00', 'after_id=a%00b']) expect((await send('GET', `/v1/robots?${query}`)).status).toBe(400);
    expect(service.log.filter((entry) => entry.event === 'unforeseen_error')).toEqual([]);
  });

  it('requests keep text unchanged, and count its characters rather than UTF-16 code units', async () => {
    const name = `  ${'🤖'.repeat(251)}\t\n`;
    const created = read('created', await send('POST', '/v1/robots', { ...VIRTUAL, name }));
    expect(created.robot.name).toBe(name);
    expect((await send('POST', '/v1/robots', { ...VIRTUAL, name: '🤖'.repeat(256) })).status).toBe(400);
  });

  it('requests may name robots in any form of the path; an invalid id is not found', async () => {
    const { id } = await createRobot();
    const escaped = id.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`);
    for (const path of [`/v1/robots/${escaped}`, `/v1/robots/${id}/`, `/v1/robots/${id}?x=1`]) {
      expect(read('robot', await send('GET', path)).id).toBe(id);
    }
    for (const wrong of [
      '%00',
      '%',
      '%ff',
      '%F0%9F%A4%96',
      '..%2frobots',
      `${id}%20`,
      'x'.repeat(5_000),
      "' or 1=1",
      '%2e%2e%2f',
    ]) {
      expect([wrong, (await send('GET', `/v1/robots/${wrong}`)).status]).toEqual([wrong, 404]);
    }
    expect((await send('GET', `/v1/robots/${id}//`)).status).toBe(404);
    expect((await send('GET', '/v1/robots/')).status).toBe(200);
  });

  it('requests with an invalid limit are 400', async () => {
    for (const limit of ['0', '101', 'abc', '', '1.5', '-1', '1e9', 'NaN', '%00']) {
      const answer = await send('GET', `/v1/robots?limit=${limit}`);
      expect(answer).toMatchObject({ status: 400, body: { details: { fields: ['limit'] } } });
    }
    for (const limit of [1, 100]) expect((await send('GET', `/v1/robots?limit=${limit}`)).status).toBe(200);
  });

  it.each(['/v1/robots', '/v1/sessions', '/v1/api-keys'])('requests with a malformed after_id are 400: %s', async (path) => {
    const form = '0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81';
    for (const bad of ['0', 'zzz', 'junk', form.toUpperCase(), `${form}%20`, `{${form}}`, form.slice(1), '%00', '1e9', 'null']) {
      const answer = await send('GET', `${path}?after_id=${bad}`);
      const refusal = { code: 'request.invalid', details: { fields: ['after_id'] } };
      expect([bad, answer]).toMatchObject([bad, { status: 400, body: refusal }]);
    }
    for (const good of ['', form]) expect((await send('GET', `${path}?after_id=${good}`)).status).toBe(200);
  });

  it('requests with a repeated parameter are 400; an unknown after_id is a position in the list', async () => {
    const twice = await send('GET', '/v1/robots?limit=5&limit=6');
    expect(twice).toMatchObject({ status: 400, body: { message: 'limit is there more than once. Send it once.' } });
    await createRobot();
    const [first, last] = ['0', 'f'].map((digit) => [8, 4, 4, 4, 12].map((count) => digit.repeat(count)).join('-'));
    for (const afterId of [first, '']) {
      expect(read('robots', await send('GET', `/v1/robots?after_id=${afterId}`)).robots).toHaveLength(1);
    }
    expect(read('robots', await send('GET', `/v1/robots?after_id=${last}`)).robots).toEqual([]);
  });

  it('requests by HEAD are answered like GET without a body; other methods are 405 and list the allowed ones', async () => {
    const { id } = await createRobot();
    const head = await raw('HEAD', `/v1/robots/${id}`);
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await raw('HEAD', '/v1/robots/nobody')).status).toBe(404);
    for (const [path, allowed] of [
      ['/v1/robots', 'GET, HEAD, POST, OPTIONS'],
      [`/v1/robots/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      [`/v1/robots/${id}/claim`, 'POST, OPTIONS'],
      [`/v1/robots/${id}/session`, 'POST, DELETE, GET, HEAD, OPTIONS'],
    ] as const) {
      for (const method of ['PUT', 'PROPFIND']) {
        const response = await raw(method, path);
        expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
      }
      const options = await app.request(`${prefix}${path}`, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, allowed]);
    }
    expect((await raw('HEAD', `/v1/robots/${id}/claim`)).status).toBe(405);
    expect((await app.request(`${prefix}/v1/nothing`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('requests are accepted from pages of any origin, with a key and without cookies', async () => {
    const asking = { Origin: 'https://demo.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = await app.request(`${prefix}/v1/robots`, {
      method: 'OPTIONS',
      headers: { ...asking, 'Access-Control-Request-Headers': 'authorization,content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': expect.stringMatching(/^Authorization, Content-Type, X-Request-Id/),
    });
    for (const response of [
      await raw('GET', '/v1/robots'),
      await raw('GET', '/v1/robots/nobody'),
      await raw('PUT', '/v1/robots'),
      await app.request(`${prefix}/v1/robots`),
      await app.request(`${prefix}/openapi.json`),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id.*Retry-After/);
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  it('requests have the caller’s id or a new one, in every answer and every log entry', async () => {
    const { id } = await createRobot();
    service.log.length = 0;
    for (const [method, path, status] of [
      ['GET', '/v1/robots', 200],
      ['DELETE', `/v1/robots/${id}/session`, 204],
      ['OPTIONS', '/v1/robots', 204],
      ['GET', '/v1/robots/nobody', 404],
      ['GET', '/v1/nothing', 404],
      ['PUT', '/v1/robots', 405],
      ['POST', '/v1/robots', 400],
      ['GET', '/openapi.json', 200],
      ['GET', '/docs', 200],
    ] as const) {
      const given = await raw(method, path, { headers: { 'X-Request-Id': 'mine-1.2_3' } });
      expect([given.status, given.headers.get('x-request-id')]).toEqual([status, 'mine-1.2_3']);
      expect(service.log.pop()).toMatchObject({ request_id: 'mine-1.2_3', status });
      for (const unfit of ['a b', 'x'.repeat(65), '<script>', service.keys[0]]) {
        const made = await raw(method, path, { headers: { 'X-Request-Id': unfit } });
        expect(made.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/);
        expect(service.log.pop()?.request_id).toBe(made.headers.get('x-request-id'));
      }
    }
    const large = await raw('POST', '/v1/robots', { body: ' '.repeat(70_000), headers: { 'X-Request-Id': 'big' } });
    expect([large.status, large.headers.get('x-request-id')]).toEqual([413, 'big']);
  });

  it('requests that do not finish are 504 after a while, with the note that they may still take effect', async () => {
    const { id } = await createRobot();
    const release = service.sfu.hang();
    const impatient = createApp(service.deps, { operationLimitMs: 20 });
    const response = await impatient.request(`${prefix}/v1/robots/${id}/session`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.keys[0]}` },
    });
    expect([response.status, (await response.json()).code]).toEqual([504, 'service.timeout']);
    release();
    // The operation still finishes, and leaves nothing behind.
    await expect.poll(() => service.sfu.waiting, PATIENTLY).toBe(0);
  });
});
