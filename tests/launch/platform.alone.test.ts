import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, generateRoomKeyUrl } from '../../src/client/index.ts';
import type { LogEntry } from '../../src/control-service/deps.ts';
import { readLocalFile } from '../../src/launch/local-file.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../src/launch/platform.ts';
import { isSfuUp, type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';
import { waitUntil } from './helpers/processes.ts';

const folders = makeFakeDist();
const lines: string[] = [];
const log: LogEntry[] = [];
/** The platforms of this file use one SFU that the file itself can stop. */
let sfu: Sfu;
let env: NodeJS.ProcessEnv;
let platform: Platform;

const start = (options: PlatformOptions = {}): Promise<Platform> =>
  startPlatform({
    port: 0,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env,
    onProgress: (line) => lines.push(line),
    onLog: (entry) => log.push(entry),
    ...options,
  });

beforeAll(async () => {
  sfu = await startSfu({ port: 0 });
  const { PLATFORM_API_KEY: _, SIMPLESIM_PORT: __, ...rest } = process.env;
  env = { ...rest, LIVEKIT_URL: sfu.url, LIVEKIT_API_KEY: sfu.apiKey, LIVEKIT_API_SECRET: sfu.apiSecret };
  // A folder as a user may have made it.
  mkdirSync(folders.dataDir, { recursive: true });
  chmodSync(folders.dataDir, 0o777);
  platform = await start();
}, 300_000);
afterAll(async () => {
  await platform.stop();
  await sfu.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

const call = (path: string, init: RequestInit = {}, on = platform): Promise<Response> =>
  fetch(on.baseUrl + path, { ...init, headers: { Authorization: `Bearer ${on.apiKey}`, ...init.headers } });

/** A request with the path unchanged: `fetch` would normalise it. */
function rawGet(path: string, host?: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(platform.baseUrl);
    request({ hostname, port, path, ...(host ? { headers: { Host: host } } : {}) }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the platform', () => {
  it('the platform is healthy, part by part', async () => {
    const answer = await fetch(`${platform.baseUrl}/healthz`);
    expect(answer.status).toBe(200);
    const parts = { database: 'up', sfu: 'up', control_service: 'up', viewer: 'up' };
    expect(await answer.json()).toEqual({ status: 'ok', parts });
  });

  it('the platform reports its viewer at its own port with each connection to a room, so that links of programs lead there', async () => {
    const session = await call(`/rcs/v1/robots/${platform.robotId}/session`, { method: 'POST', ...json({}) });
    expect(await session.json()).toMatchObject({ viewer_url: platform.viewerUrl });
    const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
    expect(await generateRoomKeyUrl(client, platform.robotId)).toMatch(new RegExp(`^${platform.viewerUrl}/\\?key=k1~`));
  });

  it('the platform answers at this machine’s own names alone, so that no page of a foreign name reads its data', async () => {
    for (const path of ['/', '/healthz', '/metrics', '/v1/robots']) {
      const refused = await rawGet(path, 'evil.example:8080');
      expect(refused.status, path).toBe(421);
      expect(refused.body).toContain('start it with SIMPLESIM_ALLOWED_HOSTS set to that name');
    }
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', '192.168.1.7:8080']) {
      expect((await rawGet('/healthz', host)).status, host).toBe(200);
    }
  });

  it('the platform records in local.json, for its owner alone, where everything is', async () => {
    expect(statSync(platform.localFile).mode & 0o777).toBe(0o600);
    expect(statSync(folders.dataDir).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(platform.localFile, 'utf8'))).toEqual({
      viewer_url: platform.viewerUrl,
      base_url: platform.baseUrl,
      rcs_url: `${platform.baseUrl}/rcs`,
      livekit_url: sfu.url,
      // The keys of a given SFU stay in the environment.
      livekit_api_key: '',
      livekit_api_secret: '',
      api_key: platform.apiKey,
      robot_id: platform.robotId,
      room_key_url: platform.roomKeyUrl,
    });
    expect(platform.apiKey).toMatch(/^sk_live_/);
  });

  it('the platform has a robot with an open room and a link that the viewer accepts', async () => {
    const read = readRoomKey(platform.roomKeyUrl, { nowMs: Date.now(), pageProtocol: 'http:' });
    if (!read.ok) throw new Error(read.message);
    expect(read.key).toMatchObject({ sfuUrl: sfu.url, robotId: platform.robotId, identity: `simplesim:${platform.robotId}` });
    expect(read.key.expiresAtMs - Date.now()).toBeGreaterThan(3.9 * 3_600_000);
    const rooms = await new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret).listRooms([read.key.room]);
    // The room outlives the link although no one joins.
    expect(rooms[0]).toMatchObject({ emptyTimeout: 86_400, departureTimeout: 86_400 });
    const metadata = JSON.parse(rooms[0]?.metadata ?? '');
    expect([metadata.robot_id, metadata.dispatches]).toEqual([platform.robotId, {}]);
    expect(metadata.required_participants).toEqual({ [`simplesim:${platform.robotId}`]: { min_count: 1 } });
  });

  it('the platform serves both APIs and their descriptions', async () => {
    expect(await (await call(`/v1/robots/${platform.robotId}`)).json()).toMatchObject({
      code: 'ok',
      result: { type: 'virtual' },
    });
    expect(await (await call('/rcs/v1/robots')).json()).toMatchObject({ total: 1, robots: [{ id: platform.robotId }] });
    for (const path of ['/openapi.json', '/rcs/openapi.json', '/docs', '/rcs/docs', '/docs/start.js', '/metrics']) {
      const answer = await fetch(platform.baseUrl + path);
      // An unread answer keeps its connection until the garbage collector ends both, in the middle of a later test.
      await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
    }
    expect((await fetch(`${platform.baseUrl}/v1/robots`)).status).toBe(401);
    expect((await call('/rcs/nothing')).status).toBe(404);
  });

  it('the platform closes and opens the real room with the session', async () => {
    const rooms = new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret);
    const created = await (await call('/rcs/v1/robots', { method: 'POST', ...json({ name: 'b', model: 'c' }) })).json();
    const path = `/rcs/v1/robots/${created.robot.id}/session`;
    const { room_name: room } = await (await call(path, { method: 'POST' })).json();
    expect(await rooms.listRooms([room])).toHaveLength(1);
    expect((await call(path, { method: 'DELETE' })).status).toBe(204);
    expect(await rooms.listRooms([room])).toHaveLength(0);
    await call(`/v1/robots/${created.robot.id}`, { method: 'DELETE' });
  });
});

const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });

describe('the page', () => {
  it('the page is served uncached, and sends no other site its address', async () => {
    const answer = await fetch(`${platform.viewerUrl}/?key=k1~x~y`);
    expect(await answer.text()).toContain('fake viewer');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('the page may do only its own work, and other sites may frame it only if it can contain no key', async () => {
    const policy = async (path: string) => (await fetch(platform.viewerUrl + path)).headers.get('content-security-policy') ?? '';
    for (const path of ['/', '/?embed=1', '/?try=1', '/assets/index-a1B2c3D4.js']) {
      const said = await policy(path);
      for (const part of [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "frame-ancestors 'self'",
      ])
        expect(said).toContain(part);
      expect(said).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    }
    expect(await policy('/?embed=1&try=1')).toMatch(/frame-ancestors \*$/);
    expect((await fetch(platform.viewerUrl)).headers.get('permissions-policy')).toContain('gamepad=(self)');
  });

  it('the hashed files of the page are cached for long, with their types', async () => {
    const script = await fetch(`${platform.baseUrl}/assets/index-a1B2c3D4.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const wasm = await fetch(`${platform.baseUrl}/assets/rapier-a1B2c3D4.wasm`);
    expect(wasm.headers.get('content-type')).toBe('application/wasm');
    const etag = wasm.headers.get('etag') ?? '';
    const again = await fetch(`${platform.baseUrl}/assets/rapier-a1B2c3D4.wasm`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect((await fetch(`${platform.baseUrl}/robots.txt`)).headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//etc/passwd',
    '/%00',
    '/%',
    '/.env',
    '/assets',
    '/link.txt',
    '/data/local.json',
    '/.simplesim/local.json',
  ])('the page does not leak files by %s', async (path) => {
    const { status, body } = await rawGet(path);
    expect(status).toBe(404);
    expect(body).not.toMatch(/outside|HIDDEN|root:|sk_live/);
  });
});

describe('secrets', () => {
  it('secrets are in no progress line and no log entry', async () => {
    await call('/v1/robots', { headers: { Authorization: 'Bearer sk_live_wrong' } });
    const text = [...lines, ...log.map((entry) => JSON.stringify(entry))].join('\n');
    expect(text).toContain('"route":"/v1/robots"');
    for (const secret of [platform.apiKey, sfu.apiSecret, platform.roomKeyUrl.split('~')[2] ?? '', 'sk_live_wrong']) {
      expect(secret.length).toBeGreaterThan(8);
      expect(text).not.toContain(secret);
    }
  });
});

describe('the start', () => {
  it('a starting platform may be watched: early requests are answered so, and break nothing', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await new Promise((resolve) => server.close(resolve));
    const url = `http://127.0.0.1:${port}`;
    const early: [number, string][] = [];
    const asked: Promise<void>[] = [];
    const ask = async () => {
      for (const path of ['/healthz', '/v1/robots', '/']) {
        const answer = await fetch(url + path);
        early.push([answer.status, await answer.text()]);
        expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      }
    };
    const dataDir = join(folders.root, 'watched');
    const watched = await start({ port, dataDir, onProgress: () => asked.push(ask()) });
    await Promise.all(asked);
    expect(early.length).toBeGreaterThan(0);
    expect(early[0]).toEqual([503, '{"status":"unavailable","parts":{"platform":"starting"}}']);
    expect(early[1]).toEqual([503, expect.stringContaining('"code":"service.starting"')]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await watched.stop();
  });

  it('a start names a busy port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(start({ port })).rejects.toThrow(`Port ${port} is in use. Stop the program that uses it, or set SIMPLESIM_PORT`);
    await expect(
      startPlatform({ env: { ...env, SIMPLESIM_PORT: '8080x' }, distDir: folders.distDir, dataDir: folders.dataDir }),
    ).rejects.toThrow('SIMPLESIM_PORT is "8080x"');
    server.close();
  });

  it('a start rejects a data folder that another platform uses', async () => {
    await expect(start()).rejects.toThrow(`in use by process ${process.pid}`);
    expect((await call('/v1/robots')).status).toBe(200);
  });

  it('a second start keeps key and robot; PLATFORM_API_KEY replaces the key', async () => {
    const { apiKey, robotId } = platform;
    await platform.stop();
    await expect(fetch(`${platform.baseUrl}/healthz`)).rejects.toThrow();
    platform = await start();
    expect(platform).toMatchObject({ apiKey, robotId });
    await platform.stop();
    const fixed = 'my-own-key-for-this-platform';
    platform = await start({ env: { ...env, PLATFORM_API_KEY: fixed } });
    expect(platform).toMatchObject({ apiKey: fixed, robotId });
    expect((await call('/v1/robots')).status).toBe(200);
    expect((await call('/v1/robots', { headers: { Authorization: `Bearer ${apiKey}` } })).status).toBe(401);
    expect(readLocalFile(folders.dataDir).api_key).toBe(fixed);
  });

  it('a start rejects a PLATFORM_API_KEY that cannot travel in a header, without repeating it', async () => {
    const failure = await start({ env: { ...env, PLATFORM_API_KEY: 'bad key with spaces' } }).catch((error: Error) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('PLATFORM_API_KEY must be') });
    expect(String(failure)).not.toContain('bad key');
  });

  it('a start recovers from a damaged local.json', async () => {
    await platform.stop();
    writeFileSync(join(folders.dataDir, 'local.json'), '{"api_key": 5, "robot');
    platform = await start();
    expect(platform.apiKey).toMatch(/^sk_live_/);
    expect((await call(`/v1/robots/${platform.robotId}`)).status).toBe(200);
  });
});

describe('when the SFU is gone', () => {
  it('while the SFU is gone, healthz and sessions answer with 503, and all is well when it is back', async () => {
    const pid = sfu.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      // An answer is cached for a second.
      await waitUntil(async () => (await fetch(`${platform.baseUrl}/healthz`)).status === 503, 'the SFU to be missed');
      expect(await (await fetch(`${platform.baseUrl}/healthz`)).json()).toMatchObject({
        status: 'unavailable',
        parts: { sfu: 'down', control_service: 'up' },
      });
    } finally {
      process.kill(pid, 'SIGKILL');
    }
    await waitUntil(async () => sfu.pid !== null && sfu.pid !== pid && (await isSfuUp(sfu.httpUrl, 500)), 'the SFU to be back');
    await waitUntil(async () => (await fetch(`${platform.baseUrl}/healthz`)).ok, 'all parts to be up');
    // The SFU that came back knows no room; the open session makes its own again.
    const path = `/rcs/v1/robots/${platform.robotId}/session/participant-token`;
    expect((await call(path, { method: 'POST', ...json({ participant_identity: 'x' }) })).status).toBe(200);
    const rooms = await new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret).listRooms();
    expect(rooms.map((room) => room.name)).toEqual([expect.stringContaining(`robot-${platform.robotId}`)]);
    await sfu.stop();
    expect((await call(path, { method: 'POST', ...json({ participant_identity: 'x' }) })).status).toBe(503);
  });
});

describe('the link to the robot', () => {
  const stored = () => readLocalFile(folders.dataDir).room_key_url ?? '';
  /** Returns the SFU’s answer to a participant with the link: 200, or 404 for a missing room. */
  const welcome = async (link: string): Promise<number> => {
    const key = readRoomKey(link, { pageProtocol: 'http:', nowMs: Date.now() });
    if (!key.ok) throw new Error(key.problem);
    const headers = { Authorization: `Bearer ${key.key.token}` };
    return (await fetch(`${key.key.sfuUrl.replace(/^ws/, 'http')}/rtc/validate`, { headers })).status;
  };
  const runLink = () =>
    promisify(execFile)('npm', ['run', '--silent', 'link'], { env: { ...env, SIMPLESIM_DATA_DIR: folders.dataDir } });
  let own: Platform;
  beforeAll(async () => {
    await platform.stop();
    const { LIVEKIT_URL: _, ...rest } = env;
    own = await start({ env: { ...rest, SIMPLESIM_SFU_PORT: '0' }, renewLinkEveryMs: 50 });
  });
  afterAll(() => own.stop());

  it('the link to the robot is renewed in local.json while the platform runs', async () => {
    const first = own.roomKeyUrl;
    // Two links of the same second are the same.
    await waitUntil(() => stored() !== first && own.roomKeyUrl !== first, 'a fresh link');
    expect([await welcome(first), await welcome(stored())]).toEqual([200, 200]);
  });

  it('the room of the link opens again automatically after the SFU has died', async () => {
    const pid = own.sfuPid ?? 0;
    process.kill(pid, 'SIGKILL');
    await waitUntil(async () => own.sfuPid !== pid && (await welcome(stored()).catch(() => 0)) === 200, 'the room to be back');
  });

  it('the room of the link stays closed when the session was deleted, until npm run link opens it again', async () => {
    const old = stored();
    expect((await call(`/v1/robots/${own.robotId}/session`, { method: 'DELETE' }, own)).status).toBe(204);
    expect(await welcome(old)).toBe(404);
    const { stdout } = await runLink();
    expect(stdout.trim()).toMatch(/^http.*\?key=k1~/);
    expect([await welcome(stdout.trim()), await welcome(old)]).toEqual([200, 404]);
  });

  it('the link to the robot is not available from a stopped platform, which is reported in one sentence', async () => {
    await own.stop();
    await expect(runLink()).rejects.toMatchObject({ stderr: expect.stringMatching(/^There is no link\. /) });
  });
});
