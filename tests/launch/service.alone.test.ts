import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LogEntry } from '../../src/control-service/deps.ts';
import { askOperatorSocket } from '../../src/launch/operator-socket.ts';
import { startPlatform } from '../../src/launch/platform.ts';
import { serveControlService } from '../../src/launch/service-serve.ts';
import { asAdmin, newPostgresDatabase } from '../control-service/helpers/databases.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { commandArgs } from './helpers/command.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';

const SFU_SECRET = 'a-secret-of-this-test-and-of-nothing-else';

let dataDir: string;
let sfu: Server;
let sfuUrl: string;
/** Lets the calls end that wait at the fake SFU. */
let answerSfu: () => void = () => {};
let onSfuCall: () => void = () => {};
let children: ChildProcess[] = [];

beforeAll(async () => {
  // Looks up, and rejects every call, but only on request.
  sfu = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('OK');
    answerSfu = () => {
      response.statusCode = 503;
      response.end('{}');
    };
    onSfuCall();
  });
  await new Promise<void>((done) => sfu.listen(0, '127.0.0.1', done));
  sfuUrl = `ws://127.0.0.1:${(sfu.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => sfu.close(done)));
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'simplesim-service-'));
  await layDatabase(dataDir);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  SIMPLESIM_DATA_DIR: dataDir,
  SIMPLESIM_PORT: '0',
  LIVEKIT_URL: sfuUrl,
  LIVEKIT_API_KEY: 'APItest',
  LIVEKIT_API_SECRET: SFU_SECRET,
  ...more,
});
const PATH = process.env.PATH ?? '';

function start(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [...commandArgs('service'), ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children = [...children, child];
  return child;
}
async function run(args: string[], env: Record<string, string>): Promise<{ code: number | null; out: string; note: string }> {
  const child = start(args, env);
  if (!child.stdout || !child.stderr) throw new Error('The command has no output.');
  const code = new Promise<number | null>((done) => child.once('close', done));
  const [out, note] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out: out.trim(), note: note.trim() };
}

it('serve: the control service alone on a PostgreSQL, with a log of JSON lines, completes a request before it ends', async () => {
  const databaseUrl = await newPostgresDatabase();
  const env = environment({ DATABASE_URL: databaseUrl });
  const child = start(['serve'], env);
  const exit = new Promise<number | null>((done) => child.once('close', done));
  const lines: string[] = [];
  if (!child.stderr) throw new Error('The service has no output.');
  const troubles = text(child.stderr);
  const baseUrl = await new Promise<string>((done, fail) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        const entry = JSON.parse(line);
        if (entry.event === 'serving') done(entry.base_url);
      });
    }
    child.once('close', () => fail(new Error('The service ended.')));
  });
  const health = await fetch(`${baseUrl}/healthz`);
  expect(await health.json()).toEqual({
    status: 'ok',
    parts: { database: 'up', sfu: 'up', control_service: 'up' },
  });
  expect((await fetch(`${baseUrl}/`)).status).toBe(404);

  const { code, out: key, note } = await run(['keys', 'create', '--account', 'lab'], env);
  expect([code, key]).toEqual([0, expect.stringMatching(/^sk_live_[\w-]{43}$/)]);
  expect(note).not.toContain(key);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'Ada', model: 'm', type: 'virtual' });
  const created = await fetch(`${baseUrl}/v1/robots`, { method: 'POST', headers, body });
  const { result } = (await created.json()) as { result: { id: string } };

  const called = new Promise<void>((done) => {
    onSfuCall = done;
  });
  const opening = fetch(`${baseUrl}/v1/robots/${result.id}/session`, { method: 'POST', headers });
  await called;
  child.kill('SIGTERM');
  await expect.poll(() => lines.some((line) => JSON.parse(line).event === 'stopping'), { timeout: 20_000 }).toBe(true);
  onSfuCall = () => answerSfu();
  answerSfu();
  expect((await opening).status).toBe(503);
  expect(await exit).toBe(0);
  await expect(fetch(baseUrl)).rejects.toThrow();
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'info', event: 'stopped', time: expect.any(String) });
  const printed = `${lines.join()}${await troubles}`;
  for (const secret of [key.slice(12), SFU_SECRET, new URL(databaseUrl).password]) expect(printed).not.toContain(secret);
});

it('commands work while a service has the data folder, through its socket, and without the service', async () => {
  const env = environment();
  const args = ['robots', 'issue', '--name', 'Bolt', '--model', 'h1'];
  expect(await askOperatorSocket(dataDir, args)).toBeNull();
  const closedToOthers = () => (statSync(dataDir).mode & 0o777) === 0o700;
  // A folder as a user may have made it.
  chmodSync(dataDir, 0o777);
  const running = await serveControlService({ env, onLog: () => {} });
  expect(closedToOthers()).toBe(true);
  const issued = await run(args, env);
  expect([issued.code, issued.note]).toEqual([0, expect.stringContaining('Store the PIN now')]);
  const [, id, pin] = /^id {3}(\S+)\nPIN {2}(\d{6})$/.exec(issued.out) ?? [];
  const key = (await askOperatorSocket(dataDir, ['keys', 'create', '--account', 'lab']))?.out;
  const claimed = await fetch(`${running.baseUrl}/v1/robots/${id}/claim`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ pin_code: pin }),
  });
  expect(claimed.status).toBe(200);
  await expect(askOperatorSocket(dataDir, ['keys', 'revoke', 'sk_live_none'])).rejects.toThrow('No key has the id or prefix');
  await expect(askOperatorSocket(dataDir, ['serve'])).rejects.toThrow('runs already');
  expect(statSync(join(dataDir, 'operator.sock')).mode & 0o777).toBe(0o600);
  await running.stop();
  expect(await askOperatorSocket(dataDir, ['robots', 'list'])).toBeNull();
  chmodSync(dataDir, 0o777);
  const listed = await run(['robots', 'list'], env);
  expect(closedToOthers()).toBe(true);
  expect(listed.out).toContain(id);
  expect(listed.out).toMatch(/Bolt +lab/);
});

it('a command that fails shows a remedy, without the password', async () => {
  const ended = await run(['keys', 'list'], environment({ DATABASE_URL: 'postgresql://me:secret-of-mine@127.0.0.1:9/db' }));
  expect([ended.code, ended.out]).toEqual([1, '']);
  expect(ended.note).toContain('Nothing answers at 127.0.0.1:9/db. Start the PostgreSQL server');
  expect(ended.note).not.toMatch(/secret-of-mine|\n\s+at /);
});

it('a command whose data folder is a file shows a remedy', async () => {
  const file = join(dataDir, 'file');
  writeFileSync(file, '');
  const ended = await run(['keys', 'list'], environment({ SIMPLESIM_DATA_DIR: file }));
  expect(ended).toEqual({
    code: 1,
    out: '',
    note: expect.stringMatching(/^The data folder \S+ is not a folder.*SIMPLESIM_DATA_DIR\)\.$/),
  });
});

it.each([
  [{ SIMPLESIM_DATA_DIR: import.meta.filename }, 'is not a folder, or a part of its path is not. Move that away'],
  [{ LIVEKIT_API_SECRET: '' }, 'Set LIVEKIT_API_SECRET to those of your LiveKit server'],
  [{ LIVEKIT_URL: 'localhost:7880' }, 'LIVEKIT_URL is not an address of the form ws://host:port'],
  [{ SIMPLESIM_PORT: 'x' }, 'SIMPLESIM_PORT is "x", and must be a port number'],
  [{ SIMPLESIM_WORKER_NAMES: 'a b' }, 'SIMPLESIM_WORKER_NAMES must be names of agents'],
  [{ DATABASE_URL: 'nonsense' }, 'DATABASE_URL is not a URL'],
])('serve with %j does not start, and shows a remedy', async (more, sentence) => {
  await expect(serveControlService({ env: environment(more), onLog: () => {} })).rejects.toThrow(sentence);
});

it('npm start on a PostgreSQL keeps its robots there, and nothing of them in the data folder', async () => {
  const folders = makeFakeDist();
  const databaseUrl = await newPostgresDatabase();
  const log: LogEntry[] = [];
  const platform = await startPlatform({
    port: 0,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { PATH, DATABASE_URL: databaseUrl, SIMPLESIM_SFU_PORT: '0' },
    onLog: (entry) => log.push(entry),
  });
  try {
    const health = await fetch(`${platform.baseUrl}/healthz`);
    expect(await health.json()).toMatchObject({ status: 'ok', parts: { database: 'up', sfu: 'up' } });
    expect(readdirSync(folders.dataDir).sort()).toEqual(['.gitignore', 'local.json']);
    const rows = await asAdmin(
      databaseUrl,
      'select robots.id, accounts.name from robots join accounts on accounts.id = owner_id',
    );
    expect(rows).toEqual([{ id: platform.robotId, name: 'local platform' }]);
    expect(JSON.stringify(log)).not.toContain(new URL(databaseUrl).password);
  } finally {
    await platform.stop();
    rmSync(folders.root, { recursive: true, force: true });
  }
});
