import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from '../../src/client/index.ts';
import {
  Client,
  PlatformAPIError,
  PlatformConnectionError,
  PlatformSDKError,
  type TimeoutError,
} from '../../src/client/index.ts';
import { backoffMs } from '../../src/client/internal/http.ts';
import { fakeFetch, ROBOT, SESSION, TOKEN } from './helpers/fake-fetch.ts';
import { doneReply, failedReply, guardReply } from './helpers/fake-room.ts';
import { settled } from './helpers/settled.ts';

const KEY_ROW = {
  id: 'k1',
  prefix: 'sk_live_AbCd',
  name: 'agent',
  created_at: '2030-01-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  is_own: false,
};

type Answers = Parameters<typeof fakeFetch>;

function clientWith(answers: Answers, options: ClientOptions = {}) {
  const { fetch, seen } = fakeFetch(...answers);
  const lines: string[] = [];
  const logger = { debug: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
  const client = new Client({ apiKey: 'sk_live_secret', rcsUrl: 'http://rcs.test/rcs/', fetch, logger, ...options });
  return { client, seen, lines };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const busy = { status: 429, body: { code: 'rate_limited', message: 'Too many requests.', details: { request_id: 'q' } } };
const unreachable = new TypeError('fetch failed');

describe('requests', () => {
  it('requests carry the key, and a content type if they have a body', async () => {
    const { client, seen } = clientWith([{ body: ROBOT }]);
    await client.robots.get('a/b');
    await client.robots.update('r1', { name: 'New' });
    expect(seen[0]).toMatchObject({ method: 'GET', url: 'http://rcs.test/rcs/v1/robots/a%2Fb', body: undefined });
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer sk_live_secret');
    expect(seen[0]?.headers.get('content-type')).toBeNull();
    expect(seen[1]).toMatchObject({ method: 'PATCH', body: { name: 'New' } });
    expect(seen[1]?.headers.get('content-type')).toBe('application/json');
  });

  it('requests reject an id that would name another resource', async () => {
    const { client } = clientWith([{ body: ROBOT }]);
    for (const id of ['', '.', '..']) await expect(client.robots.get(id)).rejects.toThrow('robot id is empty');
  });

  it('requests use the paths, methods and bodies of the contract', async () => {
    const table: [(client: Client) => Promise<unknown>, string, unknown, unknown][] = [
      [(c) => c.robots.list(), 'GET /v1/robots', undefined, { robots: [], next_id: null, total: 0 }],
      [
        (c) => c.robots.list({ limit: 5, afterId: 'x' }),
        'GET /v1/robots?limit=5&after_id=x',
        undefined,
        { robots: [], next_id: null, total: 0 },
      ],
      [
        (c) => c.robots.create({ name: 'n', model: 'm' }),
        'POST /v1/robots',
        { name: 'n', model: 'm' },
        { robot: ROBOT, pin_code: '1' },
      ],
      [(c) => c.robots.claim('r1', '1234'), 'POST /v1/robots/r1/claim', { pin_code: '1234' }, ROBOT],
      [(c) => c.robots.delete('r1'), 'DELETE /v1/robots/r1', undefined, undefined],
      [(c) => c.robots.createSession('r1', { workerNames: [] }), 'POST /v1/robots/r1/session', { worker_names: [] }, SESSION],
      [(c) => c.robots.createSession('r1'), 'POST /v1/robots/r1/session', {}, SESSION],
      [
        (c) => c.robots.createSession('r1', { workerNames: [], sceneId: 'kitchen' }),
        'POST /v1/robots/r1/session',
        { worker_names: [], scene_id: 'kitchen' },
        SESSION,
      ],
      [(c) => c.robots.deleteSession('r1'), 'DELETE /v1/robots/r1/session', undefined, undefined],
      [
        (c) => c.robots.createParticipantToken('r1', { participantIdentity: 'me', ttlS: 60 }),
        'POST /v1/robots/r1/session/participant-token',
        { participant_identity: 'me', ttl_seconds: 60 },
        TOKEN,
      ],
      [
        (c) => c.robots.createParticipantToken('r1', { participantIdentity: 'me', access: 'watch' }),
        'POST /v1/robots/r1/session/participant-token',
        { participant_identity: 'me', access: 'watch' },
        TOKEN,
      ],
      [
        (c) => c.robots.createControlGrant('r1', { publicKey: KEY, holder: 'me', ttlS: 60 }),
        'POST /v1/robots/r1/session/control-grant',
        { public_key: KEY, holder: 'me', ttl_seconds: 60 },
        { grant: 'a.b.c', grant_id: 'g', robot_id: 'r1', session: 's', expires_at: '2030-01-01T00:00:00.000Z' },
      ],
      [
        (c) => c.robots.takeControl('r1', { to: 'client:olga', name: 'Olga', kind: 'person' }),
        'POST /v1/robots/r1/session/control',
        { to: 'client:olga', name: 'Olga', kind: 'person' },
        { robot_id: 'r1', driver: { identity: 'client:olga', name: 'Olga', kind: 'person', since_ms: 1 }, previous: null },
      ],
      [
        (c) => c.robots.releaseControl('r1'),
        'POST /v1/robots/r1/session/control',
        { to: null },
        { robot_id: 'r1', driver: null, previous: null },
      ],
      [
        (c) => c.robots.getSession('r1'),
        'GET /v1/robots/r1/session',
        undefined,
        { robot_id: 'r1', phase: 'none', opened_at: null, participants: [], participant_count: 0, runtime: null },
      ],
      [
        (c) => c.robots.listSessions({ limit: 5, afterId: 'x' }),
        'GET /v1/sessions?limit=5&after_id=x',
        undefined,
        { sessions: [], next_id: null, total: 0 },
      ],
      [
        (c) => c.robots.listLinks('r1', { limit: 5, afterId: 'x' }),
        'GET /v1/robots/r1/session/links?limit=5&after_id=x',
        undefined,
        { links: [], next_id: null, total: 0 },
      ],
      [(c) => c.robots.revokeLink('r1', 'l/1'), 'DELETE /v1/robots/r1/session/links/l%2F1', undefined, undefined],
      [(c) => c.apiKeys.list(), 'GET /v1/api-keys', undefined, { keys: [], next_id: null, total: 0 }],
      [
        (c) => c.apiKeys.create({ name: 'agent', ttlS: 60 }),
        'POST /v1/api-keys',
        { name: 'agent', ttl_seconds: 60 },
        { key: KEY_ROW, api_key: 'sk_live_new' },
      ],
      [(c) => c.apiKeys.revoke('k/1'), 'DELETE /v1/api-keys/k%2F1', undefined, undefined],
      [
        (c) => c.robots.sendSemanticCommand('r1', 'turn-left'),
        'POST /v1/robots/r1/semantic-command',
        { command: 'turn-left' },
        { code: 'ok', result: null },
      ],
      [
        (c) => c.robots.sendSessionCommand('r1', 'set_sim_speed', { speed: 2 }, { actionId: 'mine', deadlineS: 5 }),
        'POST /v1/robots/r1/session/command',
        { skill: 'set_sim_speed', parameters: { speed: 2 }, action_id: 'mine', deadline_s: 5 },
        doneReply('mine', { speed: 2 }),
      ],
    ];
    for (const [call, line, body, answer] of table) {
      const { client, seen } = clientWith([answer === undefined ? { status: 204 } : { body: answer }]);
      await call(client);
      expect(`${seen[0]?.method} ${seen[0]?.url.replace('http://rcs.test/rcs', '')}`).toBe(line);
      expect(seen[0]?.body).toEqual(body);
    }
  });

  it('requests report an answer that does not match the contract', async () => {
    const { client } = clientWith([{ body: '<html>' }]);
    await expect(client.robots.get('r1')).rejects.toThrow('does not match the contract');
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['a robot was deleted', (c) => c.robots.delete('r1')],
    ['a session was deleted', (c) => c.robots.deleteSession('r1')],
    ['a robot has moved', (c) => c.robots.sendSemanticCommand('r1', 'left')],
  ])('a page for people does not count as a confirmation that %s', async (_, call) => {
    const { client } = clientWith([{ body: '<html>Welcome</html>' }]);
    await expect(call(client)).rejects.toThrow('does not match the contract');
  });

  it('a deletion may be answered with nothing or with data', async () => {
    for (const answer of [{ status: 204 }, { status: 200 }, { body: { code: 'ok', result: null } }]) {
      const { client } = clientWith([answer]);
      await expect(client.robots.delete('r1')).resolves.toBeUndefined();
    }
  });

  it('requests abort an answer that is too large', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(1024 * 1024)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const client = new Client({ apiKey: 'k', fetch: async () => new Response(endless) });
    await expect(client.robots.list()).rejects.toThrow('The answer is larger than 16 MiB');
    expect(isCancelled).toBe(true);
  });

  it('a request for a new key returns the key, and does not show it when it is printed', async () => {
    const { client } = clientWith([{ body: { key: KEY_ROW, api_key: 'sk_live_new' } }]);
    const made = await client.apiKeys.create({ name: 'agent' });
    expect(made.api_key).toBe('sk_live_new');
    expect(`${inspect(made)} ${inspect(client.apiKeys)} ${JSON.stringify(client)}`).not.toMatch(/sk_live_(?:new|secret)/);
  });

  it('requests read every key, and detect a list that never ends', async () => {
    const page = (id: string, next_id: string | null) => ({ body: { keys: [{ ...KEY_ROW, id }], next_id, total: 2 } });
    const { client, seen } = clientWith([page('a', 'a'), page('b', null)]);
    const ids: string[] = [];
    for await (const key of client.apiKeys.iter()) ids.push(key.id);
    expect([ids, seen[1]?.url]).toEqual([['a', 'b'], 'http://rcs.test/rcs/v1/api-keys?limit=100&after_id=a']);
    const { client: circling } = clientWith([page('a', 'a')]);
    const readAll = async () => {
      for await (const key of circling.apiKeys.iter()) ids.push(key.id);
    };
    await expect(readAll()).rejects.toThrow('GET /v1/api-keys: the list does not end');
  });

  it('requests reject a key id that would name another resource', async () => {
    const { client } = clientWith([{ status: 204 }]);
    for (const id of ['', '.', '..']) await expect(client.apiKeys.revoke(id)).rejects.toThrow('key id is empty');
  });

  it('a request for a grant returns the grant, and does not show it when it is printed', async () => {
    const answer = { grant: 'a.b.c', grant_id: 'g', robot_id: 'r1', session: 's', expires_at: '2030-01-01T00:00:00.000Z' };
    const { client } = clientWith([{ body: answer }]);
    const given = await client.robots.createControlGrant('r1', { publicKey: KEY });
    expect(given.grant).toBe('a.b.c');
    expect(inspect({ given }, { depth: 9 })).not.toContain('a.b.c');
  });
});

/** The key of RFC 8037, appendix A. */
const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;

describe('retries', () => {
  const reads: Record<string, (client: Client) => Promise<unknown>> = {
    'GET robots': (c) => c.robots.list(),
    'GET a robot': (c) => c.robots.get('r1'),
  };
  const once: Record<string, (client: Client) => Promise<unknown>> = {
    'POST robots': (c) => c.robots.create({ name: 'n', model: 'm' }),
    'POST session': (c) => c.robots.createSession('r1'),
    'POST session/control': (c) => c.robots.releaseControl('r1'),
    'POST session/command': (c) => c.robots.sendSessionCommand('r1', 'cancel', {}),
    'POST participant-token': (c) => c.robots.createParticipantToken('r1', { participantIdentity: 'me' }),
    'POST control-grant': (c) => c.robots.createControlGrant('r1', { publicKey: KEY }),
    'POST claim': (c) => c.robots.claim('r1', '1'),
    'POST semantic-command': (c) => c.robots.sendSemanticCommand('r1', 'left'),
    'PATCH a robot': (c) => c.robots.update('r1', { name: 'n' }),
    'DELETE a robot': (c) => c.robots.delete('r1'),
    'DELETE session': (c) => c.robots.deleteSession('r1'),
  };

  it.each(Object.entries(reads))('%s is retried twice after transport failures and 429', async (_, call) => {
    for (const failure of [unreachable, busy]) {
      const { client, seen } = clientWith([failure]);
      await expect(settled(call(client))).rejects.toThrow(PlatformSDKError);
      expect(seen).toHaveLength(3);
    }
  });

  it.each(Object.entries(once))('%s is never retried', async (_, call) => {
    for (const failure of [unreachable, busy]) {
      const { client, seen } = clientWith([failure]);
      await expect(settled(call(client))).rejects.toThrow(PlatformSDKError);
      expect(seen).toHaveLength(1);
    }
  });

  it('a GET that succeeds on a retry returns its answer', async () => {
    const { client, seen } = clientWith([unreachable, busy, { body: ROBOT }]);
    expect(await settled(client.robots.get('r1'))).toMatchObject({ id: 'r1' });
    expect(seen).toHaveLength(3);
  });

  it.each([400, 401, 404, 409, 500, 503])('status %i is not retried', async (status) => {
    const { client, seen } = clientWith([{ status }]);
    await expect(settled(client.robots.get('r1'))).rejects.toMatchObject({ statusCode: status });
    expect(seen).toHaveLength(1);
  });

  it('maxRetries sets the number of retries', async () => {
    const { client, seen } = clientWith([unreachable], { maxRetries: 0 });
    await expect(settled(client.robots.get('r1'))).rejects.toThrow(PlatformConnectionError);
    expect(seen).toHaveLength(1);
  });

  it.each([0.5, 1.5, 2 ** 31, 2 ** 32, 1e300, Number.POSITIVE_INFINITY])(
    'a time limit of %d ms is kept as far as timers go',
    async (timeoutMs) => {
      const { client, seen } = clientWith([{ body: ROBOT }]);
      expect(await settled(client.robots.get('r1', { timeoutMs }))).toMatchObject({ id: 'r1' });
      expect(seen).toHaveLength(1);
    },
  );

  it('an answer with a certificate of an unknown authority names the variable for it', async () => {
    const untrusted = new TypeError('fetch failed', {
      cause: Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
    });
    const client = new Client({ apiKey: 'sk_live_x', maxRetries: 0, fetch: () => Promise.reject(untrusted) });
    await expect(client.robots.get('r1')).rejects.toThrow('NODE_EXTRA_CA_CERTS');
  });

  it('retries wait exponentially longer, with jitter, at most 30 s', () => {
    expect([0, 1, 2, 3].map((attempt) => backoffMs(attempt, 0))).toEqual([250, 500, 1_000, 2_000]);
    expect([0, 1, 2, 3].map((attempt) => backoffMs(attempt, 1))).toEqual([500, 1_000, 2_000, 4_000]);
    expect(backoffMs(20, 1)).toBe(30_000);
    expect(backoffMs(0, 0, 7)).toBe(7_000);
    expect(backoffMs(9, 1, 7)).toBe(30_000);
  });

  it('retries honour Retry-After: never earlier, and not at all when it asks for more than 30 s', async () => {
    const tooSoon = (seconds: string) => ({ ...busy, headers: { 'retry-after': seconds } });
    const patient = clientWith([tooSoon('7'), { body: ROBOT }]);
    const got = patient.client.robots.get('r1');
    await vi.advanceTimersByTimeAsync(6_900);
    expect(patient.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await got).toMatchObject({ id: 'r1' });
    const { client, seen } = clientWith([tooSoon('31')]);
    await expect(settled(client.robots.get('r1'))).rejects.toMatchObject({ statusCode: 429, retryAfterS: 31 });
    expect(seen).toHaveLength(1);
  });

  it('retries end with the signal, also while waiting', async () => {
    const { client, seen } = clientWith([{ ...busy, headers: { 'retry-after': '20' } }]);
    const abort = new AbortController();
    const listed = client.robots.list({ signal: abort.signal });
    listed.catch(() => {});
    await vi.advanceTimersByTimeAsync(1_000);
    abort.abort(new Error('enough'));
    await expect(listed).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });
});

describe('errors', () => {
  const cases: [string, number, unknown, Partial<PlatformAPIError>][] = [
    [
      'the service’s own body',
      404,
      { code: 'robot.not_found', message: 'No robot.', details: { request_id: 'req_1', robot_id: 'x' } },
      { code: 'robot.not_found', message: 'No robot.', requestId: 'req_1' },
    ],
    [
      'a key that the service itself refuses',
      401,
      { code: 'auth.no', message: 'No.' },
      { code: 'http.401', message: 'unauthorized' },
    ],
    ['a body that is null', 500, null, { code: 'http.500', message: 'internal server error' }],
    ['an expired key', 401, { error: 'token expired' }, { code: 'http.401', message: 'unauthorized' }],
    ['an expired key without a body', 401, undefined, { code: 'http.401', message: 'unauthorized' }],
    ['the edge’s {error: text}', 403, { error: 'blocked' }, { code: 'http.403', message: 'blocked' }],
    ['the edge’s {error: {…}}', 403, { error: { code: 'edge.x', message: 'blocked' } }, { code: 'edge.x', message: 'blocked' }],
    ['a validation’s {detail: text}', 422, { detail: 'bad name' }, { code: 'http.422', message: 'bad name' }],
    [
      'a validation’s {detail: […]}',
      422,
      {
        detail: [
          { loc: ['body', 'name'], msg: 'field required' },
          { loc: ['body', 'model'], msg: 'too long' },
        ],
      },
      { code: 'http.422', message: 'body.name: field required; body.model: too long' },
    ],
    ['plain text', 502, 'upstream gone', { code: 'http.502', message: 'upstream gone' }],
    ['nothing', 503, undefined, { code: 'http.503', message: 'service unavailable' }],
  ];

  it.each(cases)('reads the error %s', async (_, statusCode, body, expected) => {
    const { client } = clientWith([{ status: statusCode, body, headers: { 'x-request-id': 'req_header' } }]);
    const error = await client.robots.get('r1').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PlatformAPIError);
    expect(error).toMatchObject({ statusCode, requestId: 'req_header', ...expected });
  });

  it('an expired key reads as http.401: unauthorized', async () => {
    const { client } = clientWith([{ status: 401, body: { error: 'jwt expired' } }]);
    await expect(client.robots.list()).rejects.toSatisfy((error) => String(error) === 'PlatformAPIError: http.401: unauthorized');
  });

  it('an error contains no key, although the answer repeats it', async () => {
    const { client } = clientWith([{ status: 403, body: { code: 'edge.no', message: 'sk_live_secret is not allowed' } }]);
    const error = await client.robots.list().catch((e: unknown) => e);
    expect(error).toMatchObject({ message: '[redacted] is not allowed' });
  });

  it('a slow answer is a TimeoutError, outside the hierarchy', async () => {
    vi.useRealTimers();
    const { client } = clientWith(['never'], { timeoutMs: 20, maxRetries: 0 });
    const error = await client.robots.get('r1').catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(error).not.toBeInstanceOf(PlatformSDKError);
  });
});

describe('a session command', () => {
  it('a session command returns the end of the action, which may be a failure', async () => {
    const { client } = clientWith([{ body: failedReply('mine', 'NAVIGATION_STUCK') }]);
    const ended = await client.robots.sendSessionCommand('r1', 'go_to', { target: { kind: 'entity', entity_id: 'pad_B' } });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'NAVIGATION_STUCK' }, meta: { action_id: 'mine' } });
  });

  it('a session command that did not become an action is an RcwRuntimeError', async () => {
    const { client } = clientWith([{ body: guardReply('BUSY', 'The base is taken.') }]);
    const refused = client.robots.sendSessionCommand('r1', 'cancel', {});
    await expect(refused).rejects.toMatchObject({ name: 'RcwRuntimeError', code: 'BUSY' });
  });

  it('a session command with a late answer names the action to ask about', async () => {
    vi.useRealTimers();
    const { client, seen } = clientWith(['never'], { timeoutMs: 20 });
    const error = await client.robots.sendSessionCommand('r1', 'cancel', {}).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'TimeoutError', actionId: expect.stringMatching(/^act-/) });
    expect(seen[0]?.body).toMatchObject({ action_id: (error as TimeoutError).actionId });
  });
});

describe('iter', () => {
  it('iter walks all pages, and requests the next one only when it is needed', async () => {
    const page = (ids: string[], next_id: string | null) => ({
      body: { robots: ids.map((id) => ({ ...ROBOT, id })), next_id, total: 5 },
    });
    const { client, seen } = clientWith([page(['a', 'b'], 'b'), page(['c', 'd'], 'd'), page(['e'], null)]);
    const ids: string[] = [];
    for await (const robot of client.robots.iter({ limit: 2 })) {
      ids.push(robot.id);
      if (robot.id === 'b') expect(seen).toHaveLength(1);
    }
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(seen.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&after_id=b', '?limit=2&after_id=d']);
  });
});

describe('logging', () => {
  it('logs requests and answers, never headers, bodies or keys', async () => {
    const { client, lines } = clientWith([{ body: { robot: ROBOT, pin_code: '987654' } }]);
    await client.robots.create({ name: 'private-name', model: 'm' });
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^POST \/v1\/robots: 200 after \d+ ms$/);
    for (const secret of ['sk_live', 'private-name', '987654']) expect(lines.join()).not.toContain(secret);
  });
});
