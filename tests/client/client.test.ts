import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  Client,
  type ClientOptions,
  generateOperatorUrl,
  generateRoomKey,
  generateRoomKeyUrl,
  generateWatchUrl,
  getSessionViewerUrl,
  PlatformNotAvailableError,
  PlatformSDKError,
} from '../../src/client/index.ts';
import { readSettings, roomHint } from '../../src/client/internal/settings.ts';
import { fakeFetch, ROBOT, SESSION, TOKEN } from './helpers/fake-fetch.ts';
import { FakeRoom } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

afterEach(() => void vi.unstubAllEnvs());

const KEY = 'sk_live_0123456789';

describe('settings', () => {
  it('settings are read from the environment', async () => {
    vi.stubEnv('PLATFORM_API_KEY', KEY);
    vi.stubEnv('PLATFORM_RCS_URL', 'https://example.test/rcs/');
    vi.stubEnv('PLATFORM_ROBOT_VIEWER_URL', 'https://viewer.test/');
    const client = new Client();
    expect(client).toMatchObject({ rcsUrl: 'https://example.test/rcs', viewerUrl: 'https://viewer.test' });
    expect(client).toMatchObject({ timeoutMs: 30_000, maxRetries: 2 });
  });

  it('settings have the defaults of the specification', () => {
    expect(readSettings({}, { PLATFORM_API_KEY: KEY })).toMatchObject({ timeoutMs: 30_000, maxRetries: 2 });
    const blank = { PLATFORM_API_KEY: KEY, PLATFORM_RCS_URL: '', PLATFORM_ROBOT_VIEWER_URL: ' ' };
    expect(readSettings({}, blank)).toMatchObject({
      rcsUrl: 'http://localhost:8080/rcs',
      // The value that the service reports.
      viewerUrl: null,
    });
    expect(new Client({ apiKey: KEY }).viewerUrl).toBe('http://localhost:8080');
  });

  it('arguments override the settings of the environment', () => {
    const env = { PLATFORM_API_KEY: 'sk_live_env', PLATFORM_ROBOT_SDK_TIMEOUT: '5', PLATFORM_ROBOT_SDK_MAX_RETRIES: '7' };
    expect(readSettings({}, env)).toMatchObject({ apiKey: 'sk_live_env', timeoutMs: 5_000, maxRetries: 7 });
    expect(readSettings({ apiKey: KEY, timeoutMs: 100, maxRetries: 0 }, env)).toMatchObject({
      apiKey: KEY,
      timeoutMs: 100,
      maxRetries: 0,
    });
  });

  it.each([
    [{}, {}, 'There is no API key'],
    ...['sk live', 'sk_live_ü', 'sk\nlive', `"${KEY}"`, `'${KEY}'`, 'sk_live_\u200b'].map((apiKey): [object, object, string] => [
      { apiKey },
      {},
      'PLATFORM_API_KEY (apiKey) holds characters',
    ]),
    ...['a:8080/rcs', '"http://a"', 'http://a:99999', 'http://a:b', 'http://[::1'].map((rcsUrl): [object, object, string] => [
      { apiKey: KEY, rcsUrl },
      {},
      'PLATFORM_RCS_URL (rcsUrl) is not an address',
    ]),
    [{ apiKey: KEY, rcsUrl: 'ws://x' }, {}, 'PLATFORM_RCS_URL'],
    [{ apiKey: KEY, rcsUrl: 'http://user:pass@x' }, {}, 'PLATFORM_RCS_URL'],
    [{ apiKey: KEY }, { PLATFORM_ROBOT_SDK_TIMEOUT: 'soon' }, 'PLATFORM_ROBOT_SDK_TIMEOUT'],
    [{ apiKey: KEY, maxRetries: -1 }, {}, 'maxRetries'],
  ])('settings that cannot be read are named: %j %j', (options, env, named) => {
    expect(() => readSettings(options, env)).toThrow(PlatformSDKError);
    expect(() => readSettings(options, env)).toThrow(named);
  });
});

describe('a room that could not be joined', () => {
  it.each([
    ['ws://127.0.0.1:7880', { HTTP_PROXY: 'http://user:pa55word@proxy.test' }, 'proxy of HTTP_PROXY'],
    ['wss://sfu.test', { https_proxy: 'x', HTTPS_PROXY: 'y' }, 'proxy of https_proxy'],
    ['ws://127.0.0.1:7880', { HTTPS_PROXY: 'x', HTTP_PROXY: '' }, ''],
  ])('the hint for a room that cannot be joined names the proxy variable that LiveKit reads: %s %j', (url, env, named) => {
    const hint = roomHint(url, env);
    expect(hint).not.toContain('pa55');
    if (named === '') expect(hint).toBe('');
    else expect(hint).toContain(named);
  });
});

describe('PLATFORM_ROBOT_SDK_DEBUG', () => {
  const warnings = async (value: string | undefined): Promise<string[]> => {
    vi.stubEnv('PLATFORM_ROBOT_SDK_DEBUG', value);
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const { fetch } = fakeFetch({ body: SESSION });
    await new Client({ apiKey: KEY, fetch }).robots.createSession('r1', { workerNames: ['a-name-of-the-body'] });
    const lines = debug.mock.calls.map((sentence) => sentence.join(' '));
    debug.mockRestore();
    return lines;
  };

  it('PLATFORM_ROBOT_SDK_DEBUG=1 logs each request and its answer, and no header or body', async () => {
    const text = (await warnings('1')).join('\n');
    expect(text).toMatch(/POST .*\/v1\/robots\/r1\/session/);
    expect(text).toContain('200');
    for (const secret of [KEY, TOKEN, 'Bearer', 'a-name-of-the-body', SESSION.livekit_url]) expect(text).not.toContain(secret);
  });

  it.each([undefined, '0', 'yes'])('PLATFORM_ROBOT_SDK_DEBUG=%s logs nothing', async (value) => {
    expect(await warnings(value)).toEqual([]);
  });
});

describe('printing shows no credential', () => {
  const printed = (value: unknown) =>
    [String(value), JSON.stringify(value), inspect(value, { depth: 9, showHidden: true })].join('\n');

  it('printing a client shows no credential', () => {
    const client = new Client({ apiKey: KEY, fetch: fakeFetch({}).fetch });
    const settings = readSettings({ apiKey: KEY });
    expect(settings.apiKey).toBe(KEY);
    for (const value of [client, client.robots, { client }, settings, { nested: [{ settings }] }])
      expect(printed(value)).not.toContain(KEY);
    expect(String(client)).toContain('apiKey=[redacted]');
  });

  it('printing a session shows no credential', async () => {
    const { session } = await fakeSession(new FakeRoom(() => 'silence'));
    expect(printed(session)).not.toContain(SESSION.participant_token);
  });

  it('printing results shows no credential, although they contain one', async () => {
    const { fetch } = fakeFetch({ body: { robot: ROBOT, pin_code: '987654' } }, { body: SESSION }, { body: TOKEN });
    const client = new Client({ apiKey: KEY, fetch });
    const created = await client.robots.create({ name: 'n', model: 'm' });
    const session = await client.robots.createSession('r1');
    const token = await client.robots.createParticipantToken('r1', { participantIdentity: 'me' });
    expect([created.pin_code, session.participant_token, token.participant_token]).toEqual([
      '987654',
      SESSION.participant_token,
      TOKEN.participant_token,
    ]);
    for (const [value, secret] of [
      [created, '987654'],
      [session, SESSION.participant_token],
      [token, TOKEN.participant_token],
    ]) {
      expect(inspect(value, { depth: 9 })).not.toContain(secret);
    }
  });
});

describe('room keys', () => {
  const clientFor = () => {
    const { fetch, seen } = fakeFetch({ body: TOKEN });
    return { client: new Client({ apiKey: KEY, viewerUrl: 'http://viewer.test', fetch }), seen };
  };

  it('room keys are packed from a token for the simulator', async () => {
    const { client, seen } = clientFor();
    expect(await generateRoomKey(client, 'r1', { ttlS: 600 })).toBe('k1~d3M6Ly8xMjcuMC4wLjE6Nzg4MA~aaa.bbb.ccc');
    expect(seen[0]?.body).toEqual({ participant_identity: 'simplesim:r1', ttl_seconds: 600 });
  });

  it('room keys make a link to the viewer', async () => {
    const { client } = clientFor();
    const key = 'k1~d3M6Ly8xMjcuMC4wLjE6Nzg4MA~aaa.bbb.ccc';
    expect(await generateRoomKeyUrl(client, 'r1')).toBe(`http://viewer.test/?key=${key}`);
    expect(await generateRoomKeyUrl(client, 'r1', { viewerBaseUrl: 'https://other.test/sim/' })).toBe(
      `https://other.test/sim/?key=${key}`,
    );
  });

  it('room keys of the worker profile are for the identity rcw-<robot_id>, and their link names the profile', async () => {
    const { client, seen } = clientFor();
    const key = 'k1~d3M6Ly8xMjcuMC4wLjE6Nzg4MA~aaa.bbb.ccc';
    expect(await generateRoomKey(client, 'r1', { profile: 'worker', ttlS: 600 })).toBe(key);
    expect(seen[0]?.body).toEqual({ participant_identity: 'rcw-r1', ttl_seconds: 600 });
    expect(await generateRoomKeyUrl(client, 'r1', { profile: 'worker' })).toBe(`http://viewer.test/?key=${key}&profile=worker`);
    expect(seen[1]?.body).toEqual({ participant_identity: 'rcw-r1' });
    const long = new URL(await getSessionViewerUrl(client, 'r1', { profile: 'worker' }));
    expect(long.searchParams.get('profile')).toBe('worker');
    expect(seen[2]?.body).toEqual({ participant_identity: 'rcw-r1' });
    expect(await generateRoomKeyUrl(client, 'r1', { profile: 'simulator' })).toBe(`http://viewer.test/?key=${key}`);
  });

  it('room keys make a link that takes the robot over without asking, by a request in its fragment', async () => {
    const { client } = clientFor();
    const key = 'k1~d3M6Ly8xMjcuMC4wLjE6Nzg4MA~aaa.bbb.ccc';
    expect(await generateRoomKeyUrl(client, 'r1', { takeOver: true })).toBe(`http://viewer.test/?key=${key}#take_over=1`);
    expect(await generateRoomKeyUrl(client, 'r1', { takeOver: true, profile: 'worker' })).toBe(
      `http://viewer.test/?key=${key}&profile=worker#take_over=1`,
    );
    expect(await getSessionViewerUrl(client, 'r1', { takeOver: true })).toMatch(/&lk_room=[^#]+#take_over=1$/);
    expect(await generateRoomKeyUrl(client, 'r1', { takeOver: false })).not.toContain('take_over');
  });

  it('room keys for visitors request their access, under a name that no other link has', async () => {
    const { client, seen } = clientFor();
    const link = 'http://viewer.test/?key=k1~d3M6Ly8xMjcuMC4wLjE6Nzg4MA~aaa.bbb.ccc';
    expect(await generateWatchUrl(client, 'r1', { ttlS: 600 })).toBe(link);
    expect(await generateOperatorUrl(client, 'r1', { participantName: 'Ada' })).toBe(link);
    await generateWatchUrl(client, 'r1');
    const identity = expect.stringMatching(/^watcher-[0-9a-f]{32}$/);
    expect(seen[0]?.body).toEqual({
      participant_identity: identity,
      participant_name: 'watcher',
      ttl_seconds: 600,
      access: 'watch',
    });
    expect(seen[1]?.body).toMatchObject({ participant_name: 'Ada', access: 'drive' });
    expect(seen[2]?.body).not.toMatchObject({ participant_identity: Object(seen[0]?.body).participant_identity });
    await expect(generateWatchUrl(client, 'r1', { viewerBaseUrl: 'viewer.test' })).rejects.toThrow('viewerBaseUrl');
  });

  it('room keys lead to the viewer that the service reports, unless the program names one', async () => {
    const reported = (viewer_url: string | undefined, options: ClientOptions = {}) => {
      const { fetch } = fakeFetch({ body: { ...TOKEN, viewer_url } });
      return new Client({ apiKey: KEY, fetch, ...options });
    };
    const at = 'http://127.0.0.1:8400';
    for (const make of [generateRoomKeyUrl, getSessionViewerUrl, generateWatchUrl, generateOperatorUrl]) {
      const base = async (client: Client, options = {}) => (await make(client, 'r1', options)).split('/?')[0];
      expect(await base(reported(at))).toBe(at);
      expect(await base(reported(`${at}/`))).toBe(at);
      expect(await base(reported(at), { viewerBaseUrl: 'https://call.test' })).toBe('https://call.test');
      expect(await base(reported(at, { viewerUrl: 'https://client.test' }))).toBe('https://client.test');
      vi.stubEnv('PLATFORM_ROBOT_VIEWER_URL', 'https://environment.test');
      expect(await base(reported(at))).toBe('https://environment.test');
      vi.unstubAllEnvs();
      // Services that report no address or an invalid one.
      expect(await base(reported(undefined))).toBe('http://localhost:8080');
      expect(await base(reported('javascript:alert(1)'))).toBe('http://localhost:8080');
    }
  });

  it('room keys have a long link for older pages', async () => {
    const { client } = clientFor();
    const url = new URL(await getSessionViewerUrl(client, 'r1'));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      lk_url: TOKEN.livekit_url,
      lk_token: 'aaa.bbb.ccc',
      lk_room: 'robot-r1',
    });
  });
});

describe('parts that the platform does not offer yet', () => {
  it('environmentId is rejected before any request', async () => {
    const { fetch, seen } = fakeFetch({ body: SESSION });
    const client = new Client({ apiKey: KEY, fetch });
    const refused = client.robots.createSession('r1', { environmentId: 'x' });
    await expect(refused).rejects.toBeInstanceOf(PlatformNotAvailableError);
    await expect(refused).rejects.toMatchObject({ feature: 'environment_id' });
    expect(seen).toHaveLength(0);
  });

  it('getLogs is rejected', async () => {
    const { session } = await fakeSession(new FakeRoom(() => 'silence'));
    await expect(session.getLogs()).rejects.toMatchObject({ name: 'PlatformNotAvailableError', feature: 'get_logs' });
  });

  it('workers is deprecated, warns once, and drives nothing', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { fetch, seen } = fakeFetch({ body: SESSION });
    const client = new Client({ apiKey: KEY, fetch });
    for (let n = 0; n < 2; n += 1) await client.robots.createSession('r1', { workers: { any: 'thing' } });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('workerNames'), 'DeprecationWarning');
    expect(seen[0]?.body).toEqual({});
    warn.mockRestore();
  });
});
