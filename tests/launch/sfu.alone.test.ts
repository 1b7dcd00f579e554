import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/control-service/process-lock.ts';
import { isSfuUp, readSfuSettings, type Sfu, type SfuOptions, startSfu, waitUntilReady } from '../../src/launch/sfu.ts';
import { SfuProcess } from '../../src/launch/sfu-process.ts';
import { waitUntil, waitUntilGone } from './helpers/processes.ts';

const started: Sfu[] = [];
const servers: Server[] = [];
const children: ChildProcess[] = [];

async function start(options: SfuOptions = {}): Promise<Sfu> {
  const sfu = await startSfu({ port: 0, ...options });
  started.push(sfu);
  return sfu;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((sfu) => sfu.stop()));
  for (const server of servers.splice(0)) server.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a launcher in a process of its own and reads where its SFU is. */
async function startLauncher(): Promise<{ child: ChildProcess; pid: number; httpUrl: string; apiSecret: string }> {
  const script = join(import.meta.dirname, 'helpers/hold-sfu.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (!child.stdout) throw new Error('no stdout');
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error('the launcher ended before its SFU was up');
}

async function occupyTcp(host: string): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

describe('startSfu', () => {
  it('startSfu starts an SFU that answers with its own keys, and rejects others', async () => {
    const sfu = await start();
    const rooms = new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret);
    expect((await rooms.createRoom({ name: 'a' })).name).toBe('a');
    const stranger = new RoomServiceClient(sfu.httpUrl, 'devkey', 'secret');
    await expect(stranger.listRooms()).rejects.toThrow();
    expect(sfu.url).toBe(sfu.httpUrl.replace('http', 'ws'));
  });

  it('startSfu gives two SFUs different ports and keys', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.url).not.toBe(two.url);
    expect(one.apiSecret).not.toBe(two.apiSecret);
  });

  it('startSfu does not show its secret in the list of processes', async () => {
    const sfu = await start();
    const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(listed).toContain('livekit-server');
    expect(listed).not.toContain(sfu.apiSecret);
  });

  it('startSfu stops the SFU: the process is gone and nothing answers', async () => {
    const sfu = await start();
    const pid = sfu.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    await sfu.stop();
    expect(isAlive(pid)).toBe(false);
    expect(await isSfuUp(sfu.httpUrl, 500)).toBe(false);
    await sfu.stop();
  });

  it('startSfu names a requested port that is busy', async () => {
    const port = await occupyTcp('127.0.0.1');
    await expect(start({ port })).rejects.toThrow(`TCP port ${port} is in use`);
  });

  it('startSfu names a busy port of WebRTC', async () => {
    const port = await occupyTcp('0.0.0.0');
    await expect(start({ port: port - 1 })).rejects.toThrow(new RegExp(`port (${port - 1}|${port}|${port + 1}) is in use`));
  });

  it('startSfu reads SIMPLESIM_SFU_PORT, and names it when it is not a port', async () => {
    const port = await occupyTcp('127.0.0.1');
    await expect(startSfu({ env: { ...process.env, SIMPLESIM_SFU_PORT: String(port) } })).rejects.toThrow(`TCP port ${port}`);
    await expect(startSfu({ env: { ...process.env, SIMPLESIM_SFU_PORT: '70000' } })).rejects.toThrow(/SIMPLESIM_SFU_PORT.*65533/);
  });

  it.each(['65534', '65535'])('startSfu needs a port with two more after it, and rejects %s', (port) => {
    expect(() => readSfuSettings({ SIMPLESIM_SFU_PORT: port })).toThrow(
      `SIMPLESIM_SFU_PORT is "${port}", and must be a port number from 0 to 65533`,
    );
  });

  it('startSfu shows the correct form of an address with an invalid port', () => {
    const env = { LIVEKIT_URL: 'ws://127.0.0.1:99999', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' };
    expect(() => readSfuSettings(env)).toThrow('LIVEKIT_URL is not an address of the form ws://host:port');
  });

  it('startSfu waits for an SFU that runs, however slow the machine is', async () => {
    let nowMs = 0;
    const sleep = async () => {
      nowMs += 1_000;
    };
    const { signal } = new AbortController();
    const upAfter = (ms: number) => ({ isUp: async () => nowMs >= ms, nowMs: () => nowMs, sleep });
    await waitUntilReady('http://127.0.0.1:9', signal, upAfter(90_000));
    nowMs = 0;
    await expect(waitUntilReady('http://127.0.0.1:9', signal, upAfter(Number.POSITIVE_INFINITY))).rejects.toThrow(
      'The SFU runs and does not answer at http://127.0.0.1:9 within 120 s. The machine may have too much to do',
    );
  });

  it('startSfu restarts an SFU that died, at the same address with the same keys', async () => {
    const lines: string[] = [];
    const sfu = await start({ onLog: (line) => lines.push(line) });
    const before = sfu.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await waitUntil(() => sfu.pid !== null && sfu.pid !== before && isSfuUp(sfu.httpUrl, 500), 'the SFU to be back');
    await new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret).createRoom({ name: 'b' });
    await waitUntil(() => lines.includes('The SFU runs again'), 'the news');
  });
});

it('the process id is known when the start is over, even if the SFU answers before its guard reports the id', async () => {
  const binary = join(mkdtempSync(join(tmpdir(), 'simplesim-sfu-')), 'sfu');
  writeFileSync(binary, '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 });
  const answersAtOnce = new SfuProcess({
    binary,
    config: '{}',
    secrets: [],
    isReady: async () => {},
    restart: false,
    onRestart: async () => {},
    onLog: () => {},
  });
  await answersAtOnce.start();
  const { pid } = answersAtOnce;
  await answersAtOnce.stop();
  expect(pid).toBeGreaterThan(0);
});

describe('no SFU is left behind', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('no SFU is left behind when the launcher ends by %s', async (signal) => {
    const { child, pid, httpUrl } = await startLauncher();
    expect(await isSfuUp(httpUrl, 1_000)).toBe(true);
    child.kill(signal);
    await waitUntilGone(pid);
  });

  it('no SFU is left behind when the guard between them is killed', async () => {
    const sfu = await start();
    const pid = sfu.pid ?? 0;
    const guardPid = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
    process.kill(guardPid, 'SIGKILL');
    await waitUntilGone(pid);
  });
});

describe('a running SFU', () => {
  it('a running SFU is used as LIVEKIT_URL names it, and stays running on stop', async () => {
    const own = await start();
    const env = { LIVEKIT_URL: own.url, LIVEKIT_API_KEY: own.apiKey, LIVEKIT_API_SECRET: own.apiSecret };
    const other = await startSfu({ env });
    expect(other).toMatchObject({ url: own.url, httpUrl: own.httpUrl, apiKey: own.apiKey, pid: null });
    await other.stop();
    expect(await isSfuUp(own.httpUrl, 1_000)).toBe(true);
  });

  it('a running SFU is rejected without its keys, or when it does not answer', async () => {
    await expect(startSfu({ env: { LIVEKIT_URL: 'ws://127.0.0.1:9' } })).rejects.toThrow(
      'LIVEKIT_API_KEY and LIVEKIT_API_SECRET',
    );
    const env = { LIVEKIT_URL: 'ws://127.0.0.1:9', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'hidden-secret' };
    await expect(startSfu({ env })).rejects.toThrow('No SFU answers at the LIVEKIT_URL (127.0.0.1:9)');
    await expect(startSfu({ env })).rejects.not.toThrow('hidden-secret');
  });
});

it('startSfu names what to install when neither an SFU nor Go exists', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'simplesim-'));
  const { findSfuBinary } = await import('../../src/launch/sfu-binary.ts');
  const env = { PATH: empty, HOME: empty, GOPROXY: 'off', SIMPLESIM_SFU_DOWNLOADS: '' };
  await expect(findSfuBinary(env, () => {}, { cacheDir: empty })).rejects.toThrow(/install Go 1\.26 .* or set LIVEKIT_URL/);
});
