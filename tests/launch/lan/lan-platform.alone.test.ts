/** A platform that phones in the network reach: what it serves them over https, and what stays on the machine. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectTcp, createServer } from 'node:net';
import { join as joinPath } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { LogEntry } from '../../../src/control-service/deps.ts';
import { readLocalFile } from '../../../src/launch/local-file.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../../src/launch/platform.ts';
import { readRoomKey } from '../../../src/protocol/room/room-key.ts';
import { LAN_CERTIFICATE_PATH, LAN_PATH, readLanAnswer } from '../../../src/protocol/service/lan.ts';
import { layDatabase } from '../../control-service/helpers/pglite-image.ts';
import { commandArgs } from '../helpers/command.ts';
import { makeFakeDist } from '../helpers/fake-dist.ts';
import { lanAddress } from '../helpers/lan-address.ts';

const ADDRESS = lanAddress();
const SIMPLESIM = joinPath(import.meta.dirname, '../../../scripts/simplesim.mjs');
const folders = makeFakeDist();
const { PLATFORM_API_KEY: _, SIMPLESIM_PORT: __, SIMPLESIM_HOST: ___, LIVEKIT_URL: ____, ...env } = process.env;
const lines: string[] = [];
const log: LogEntry[] = [];
let platform: Platform;
let lan: NonNullable<Platform['lan']>;

const start = (options: PlatformOptions = {}): Promise<Platform> =>
  startPlatform({
    port: 0,
    lan: ADDRESS,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { ...env, SIMPLESIM_SFU_PORT: '0' },
    onProgress: (line) => lines.push(line),
    onLog: (entry) => log.push(entry),
    ...options,
  });

beforeAll(async () => {
  await layDatabase(folders.dataDir);
  platform = await start();
  if (!platform.lan) throw new Error('no phone reaches it');
  lan = platform.lan;
}, 300_000);
afterAll(async () => {
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

interface Got {
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
  fingerprint: string;
}

/** Returns the trust of a phone, whatever name the request bears. */
const trust = () => ({
  ca: lan.issuerPem,
  checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(ADDRESS, certificate),
});

/** Sends a request as a phone does that trusts the certificate. */
async function ask(path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Got> {
  const { hostname: host, port } = new URL(lan.pageUrl);
  const asked = request({ host, port, path, method, headers, ...trust(), agent: false });
  if (body) asked.write(body);
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const fingerprint = (answer.socket as TLSSocket).getPeerCertificate().fingerprint256;
  return { status: answer.statusCode ?? 0, body: await text(answer), headers: answer.headers, fingerprint };
}

const keyOf = (link: string) => {
  const read = readRoomKey(link, { nowMs: Date.now(), pageProtocol: 'https:' });
  if (!read.ok) throw new Error(read.message);
  return read.key;
};

/** Joins the room as a phone does. @returns the status of a rejection, or the length of the SFU’s first message */
async function join(url: string, options: object = {}): Promise<{ status: number } | { bytes: number }> {
  const socket = new WebSocket(url, { ...trust(), ...options } as object);
  try {
    return await new Promise((resolve, reject) => {
      socket.once('message', (data: Buffer) => resolve({ bytes: data.length }));
      socket.once('unexpected-response', (_request, answer) => resolve({ status: answer.statusCode ?? 0 }));
      socket.once('error', reject);
    });
  } finally {
    socket.on('error', () => {});
    socket.terminate();
  }
}

describe('a phone in the network', () => {
  it('a phone gets the page over https, with the certificate whose fingerprint the platform shows', async () => {
    const page = await ask('/');
    expect(page).toMatchObject({ status: 200, fingerprint: lan.fingerprint, body: expect.stringContaining('fake viewer') });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(lan.fingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    const issuer = await ask(LAN_CERTIFICATE_PATH);
    expect(issuer).toMatchObject({ status: 200, body: lan.issuerPem });
    expect(issuer.headers['content-type']).toBe('application/x-x509-ca-cert');
    expect(issuer.body).not.toContain('PRIVATE');
  });

  it('a phone joins the room through the same port', async () => {
    const key = keyOf(lan.roomKeyUrl);
    expect(key).toMatchObject({ sfuUrl: lan.pageUrl.replace('https', 'wss'), robotId: platform.robotId });
    expect(lan.roomKeyUrl.startsWith(`${lan.pageUrl}/#key=k1~`)).toBe(true);
    const query = `access_token=${key.token}&protocol=15&sdk=js`;
    expect(await join(`${key.sfuUrl}/rtc?${query}`)).toEqual({ bytes: expect.any(Number) });
    expect((await ask(`/rtc/validate?${query}`)).status).toBe(200);
    for (const path of ['/rtc', '/rtc?access_token=a.b.c']) expect(await join(`${key.sfuUrl}${path}`)).toEqual({ status: 401 });
    expect(await join(`${key.sfuUrl}/agent`)).toEqual({ status: 404 });
  });

  it.each([
    '/%761/robots',
    '/v1',
    '/rcs/openapi.json',
    '/rcs/docs',
    '/v1/../metrics',
    '/v1/%2e%2e/metrics',
    '/docs',
    '/docs/start.js',
    '/openapi.json',
    '/metrics',
    '/twirp/livekit.RoomService/ListRooms',
    LAN_PATH,
    '/robots',
    '/robots.html',
    '/robots/open',
  ])('a phone is not served %s, with any key', async (path) => {
    for (const method of ['GET', 'POST']) {
      const refused = await ask(path, { method, headers: { Authorization: `Bearer ${platform.apiKey}` } });
      expect(refused.status).toBe(404);
      expect(JSON.parse(refused.body)).toMatchObject({ code: 'http.not_found', message: expect.stringContaining('alone') });
    }
  });

  it.each(['evil.example', `evil.example:8080`, 'localhost', '127.0.0.1', ADDRESS])(
    'a phone is served nothing under the name %s',
    async (Host) => {
      for (const path of ['/', '/healthz', LAN_CERTIFICATE_PATH, '/rtc/validate']) {
        expect((await ask(path, { headers: { Host } })).status, path).toBe(421);
      }
      const { sfuUrl, token } = keyOf(lan.roomKeyUrl);
      expect(await join(`${sfuUrl}/rtc?access_token=${token}`, { headers: { Host } })).toEqual({ status: 421 });
    },
  );

  it('a phone that was the robot until the session ended gets a key that leads through this port', async () => {
    const { token } = keyOf(lan.roomKeyUrl);
    const headers = { 'Content-Type': 'application/json' };
    const back = JSON.parse((await ask('/come-back', { method: 'POST', headers, body: JSON.stringify({ token }) })).body);
    expect(keyOf(back.room_key)).toMatchObject({ sfuUrl: lan.pageUrl.replace('https', 'wss'), robotId: platform.robotId });
    expect(decodeJwt(keyOf(back.room_key).token).exp).toBe(decodeJwt(token).exp);
    const other = await ask('/come-back', { method: 'POST', headers, body: '{"token": "a.b.c"}' });
    expect(JSON.parse(other.body)).toEqual({ room_key: null });
  });

  it('a phone gets no key for a token that the SFU issued to a participant, because the SFU renews such tokens without end', async () => {
    const { sfuUrl, token } = keyOf(lan.roomKeyUrl);
    const socket = new WebSocket(`${sfuUrl}/rtc?access_token=${token}&protocol=15&sdk=js`, trust() as object);
    const renewed = await new Promise<string>((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        const [found] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(data.toString('latin1')) ?? [];
        if (found !== undefined && found !== token) resolve(found);
      });
      socket.once('error', reject);
    });
    socket.terminate();
    expect(decodeJwt(renewed).sub).toBe(`simplesim:${platform.robotId}`);
    const headers = { 'Content-Type': 'application/json' };
    const back = await ask('/come-back', { method: 'POST', headers, body: JSON.stringify({ token: renewed }) });
    expect(JSON.parse(back.body)).toEqual({ room_key: null });
  });

  it('a phone that agrees on no protocol is disconnected', async () => {
    const { hostname, port } = new URL(lan.pageUrl);
    const plain = connectTcp(Number(port), hostname);
    plain.on('error', () => {});
    plain.write('GET / HTTP/1.1\r\n\r\n');
    plain.resume();
    await once(plain, 'close');
    const old = connectTls({ host: hostname, port: Number(port), maxVersion: 'TLSv1.1', rejectUnauthorized: false });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
    expect((await ask('/')).status).toBe(200);
  });
});

describe('the machine itself', () => {
  it('the machine itself is served everything as usual, without certificate', async () => {
    const headers = { Authorization: `Bearer ${platform.apiKey}` };
    expect((await fetch(`${platform.rcsUrl}/v1/robots`, { headers })).status).toBe(200);
    expect(platform.rcsUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(keyOf(platform.roomKeyUrl).sfuUrl).toBe(platform.livekitUrl);
    expect(platform.livekitUrl).toMatch(/^ws:\/\/127\.0\.0\.1:/);
  });

  it('the machine itself shows how a phone connects', async () => {
    expect(readLanAnswer(await (await fetch(platform.baseUrl + LAN_PATH)).json())).toEqual({
      page_url: lan.pageUrl,
      room_url: lan.pageUrl.replace('https', 'wss'),
      local_room_url: platform.livekitUrl,
      fingerprint: lan.fingerprint,
    });
  });

  it('the machine itself makes fresh links for phones', async () => {
    const linkEnv = { ...env, SIMPLESIM_DATA_DIR: folders.dataDir };
    const link = async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, [...commandArgs('link'), ...args], { env: linkEnv })).stdout.trim();
    expect(await link('--lan')).toMatch(new RegExp(`^${lan.pageUrl}/#key=k1~`));
    const worker = await link('--lan', '--profile', 'worker');
    expect(worker).toMatch(new RegExp(`^${lan.pageUrl}/\\?profile=worker#key=k1~`));
    expect(keyOf(worker)).toMatchObject({ profile: 'worker', sfuUrl: lan.pageUrl.replace('https', 'wss') });
    expect(await link()).toMatch(new RegExp(`^${platform.baseUrl}/\\?key=`));
  }, 120_000);
});

it('progress and log contain no secret', async () => {
  const { token } = keyOf(lan.roomKeyUrl);
  const reported = [...lines, ...log.map((entry) => JSON.stringify(entry))].join('\n');
  for (const secret of [token.slice(-20), platform.apiKey, 'a.b.c']) expect(reported).not.toContain(secret);
});

describe('a setting that conflicts with phones is rejected', () => {
  const refusal = (options: PlatformOptions) => start({ dataDir: `${folders.root}/other`, ...options });

  it.each([
    [{ dev: true }, 'Hot reload'],
    [{ env: { LIVEKIT_URL: 'ws://a', LIVEKIT_API_KEY: 'a', LIVEKIT_API_SECRET: 'b' } }, 'Unset LIVEKIT_URL'],
    [{ env: { SIMPLESIM_HOST: '0.0.0.0' } }, `SIMPLESIM_HOST is "0.0.0.0", and --lan serves phones at ${ADDRESS}`],
  ] as [PlatformOptions, string][])('%j', async (options, sentence) => {
    await expect(refusal(options)).rejects.toThrow(sentence);
  });

  it('a port of the network address that is in use is rejected', async () => {
    const server = createServer();
    server.listen(0, ADDRESS);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await expect(refusal({ port })).rejects.toThrow(`Port ${port} is in use`);
    server.close();
  });
});

it('without --lan, other machines are not served, and the page learns this', async () => {
  await platform.stop();
  platform = await start({ lan: undefined });
  expect(platform.lan).toBeNull();
  expect(readLocalFile(folders.dataDir)).not.toHaveProperty('lan_url');
  expect(await (await fetch(platform.baseUrl + LAN_PATH)).json()).toEqual({ lan: null });
  const { hostname, port } = new URL(lan.pageUrl);
  for (const at of [port, new URL(platform.baseUrl).port]) {
    const socket = connectTcp(Number(at), hostname);
    await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED');
  }
});

it('a class with keys for programs is rejected without --lan, with the command that starts the platform for it', async () => {
  const names = `${folders.root}/names.txt`;
  writeFileSync(names, 'Ada');
  const running = promisify(execFile)(
    process.execPath,
    [SIMPLESIM, 'class', names, '--lan', '--out', `${folders.root}/class.html`],
    {
      env: { ...env, SIMPLESIM_DATA_DIR: folders.dataDir },
    },
  );
  await expect(running).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('npm start -- --lan') });
});
