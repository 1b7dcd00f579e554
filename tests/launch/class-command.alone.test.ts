/** `npm run simplesim -- class` and `npm run link -- --robot`: robots of a class, and links to them. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../../src/client/index.ts';
import { classPage } from '../../src/launch/class-page.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { ROBOT_MODEL_NAMES } from '../../src/protocol/wire/robot-model-names.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';

const SIMPLESIM = join(import.meta.dirname, '../../scripts/simplesim.mjs');
const folders = makeFakeDist();
let platform: Platform;
beforeAll(async () => {
  await layDatabase(folders.dataDir);
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, ...env } = process.env;
  platform = await startPlatform({
    port: 0,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { ...env, SIMPLESIM_SFU_PORT: '0' },
  });
}, 300_000);
afterAll(() => platform.stop());

function run(command: 'class' | 'link', ...args: string[]): Promise<{ code: number; said: string }> {
  const env = { ...process.env, SIMPLESIM_DATA_DIR: folders.dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [SIMPLESIM, command, ...args], { env, cwd: folders.root }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, said: stdout + stderr }),
    );
  });
}
const namesFile = (...lines: string[]): string => {
  const path = join(folders.root, 'names.txt');
  writeFileSync(path, lines.join('\n'));
  return path;
};
const robotOf = (link: string): string | null => {
  const read = readRoomKey(link, { nowMs: Date.now(), pageProtocol: 'http:' });
  return read.ok ? read.key.robotId : null;
};

it('the robots of a class are made once, each with a link and its code on one page that only its owner reads', async () => {
  const file = namesFile('Ada', '', '  Ben <b>  ', 'Çelik');
  const first = await run('class', file);
  expect(first).toMatchObject({ code: 0, said: expect.stringContaining('class.html: 3 robots, 3 of them new.') });
  expect(first.said).toContain('npm start -- --lan');
  const path = join(folders.root, 'class.html');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const page = readFileSync(path, 'utf8');
  expect(page.match(/<h2>[^\n]*<\/h2>/g)).toEqual(['<h2>Ada</h2>', '<h2>Ben &lt;b&gt;</h2>', '<h2>Çelik</h2>']);
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
  const ids = [...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, id = '']) => id);
  expect(links.map(robotOf)).toEqual(ids);
  expect(new Set(ids).size).toBe(3);

  const again = await run('class', namesFile('Çelik', 'Dora'), '--out', join(folders.root, 'next.html'));
  expect(again).toMatchObject({ code: 0, said: expect.stringContaining('2 robots, 1 of them new.') });
  expect(readFileSync(join(folders.root, 'next.html'), 'utf8')).toContain(`<code>${ids[2]}</code>`);
});

it('class commands that run at the same time make one robot for each name', async () => {
  const names = ['Finn', 'Gül', 'Hana', 'Ida'];
  const pageOf = (at: number): string => join(folders.root, `together-${at}.html`);
  const file = namesFile(...names);
  const outcomes = await Promise.all([0, 1, 2].map((at) => run('class', file, '--out', pageOf(at))));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 0 });
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const made: string[] = [];
  for await (const { name } of client.robots.iter()) if (names.includes(name)) made.push(name);
  expect(made.sort()).toEqual(names);
  const idsOf = (at: number) => [...readFileSync(pageOf(at), 'utf8').matchAll(/<code>([^<]+)<\/code>/g)].map(([, id]) => id);
  expect(idsOf(1)).toEqual(idsOf(0));
  expect(idsOf(2)).toEqual(idsOf(0));
  expect(readdirSync(folders.dataDir).filter((name) => name.startsWith('class.lock'))).toEqual([]);
});

it('a class command takes over the lock of a killed class command', async () => {
  const lock = join(folders.dataDir, 'class.lock');
  writeFileSync(lock, '2147483646 never killed\n');
  expect(await run('class', namesFile('Jon'), '--out', join(folders.root, 'killed.html'))).toMatchObject({ code: 0 });
  expect(existsSync(lock)).toBe(false);
});

it.each([
  [['Ada', 'Ben', 'Ada'], '"Ada" stands in lines 1 and 3.'],
  [['Ada', 'x'.repeat(1_000)], 'Line 2: '],
  [['', ' '], 'has no names. Write one in each line.'],
  [Array.from({ length: 101 }, (_, at) => `pupil ${at}`), 'has 101 names; an account has at most 100 open sessions.'],
])('an invalid list makes no class, and is reported: %#', async (lines, said) => {
  const outcome = await run('class', namesFile(...lines), '--out', join(folders.root, 'none.html'));
  expect(outcome).toMatchObject({ code: 2, said: expect.stringContaining(said) });
});

it('the class command reports what is wrong with its arguments and its files', async () => {
  expect(await run('class')).toMatchObject({ code: 2, said: expect.stringContaining('Name one file') });
  expect(await run('class', 'nosuch.txt')).toMatchObject({ code: 2, said: expect.stringContaining('ENOENT') });
  const out = await run('class', namesFile('Ada'), '--out', join(folders.root, 'no/such/folder.html'));
  expect(out).toMatchObject({ code: 2, said: expect.stringContaining('cannot be written: ENOENT') });
  const folder = join(folders.root, 'a-folder');
  mkdirSync(folder);
  expect(await run('class', namesFile('Ada'), '--out', folder)).toMatchObject({ code: 2 });
  expect(readdirSync(folders.root).filter((name) => name.endsWith('.half'))).toEqual([]);
  const list = namesFile('Ada');
  expect(await run('class', list, '--out', list)).toMatchObject({
    code: 2,
    said: expect.stringContaining('the list of names'),
  });
  const long = namesFile('Ada', ' '.repeat(300_000));
  expect(await run('class', long)).toMatchObject({ code: 2, said: expect.stringContaining('is larger than') });
});

it('a link to another robot of the account leaves the link of the own robot unchanged', async () => {
  const before = readFileSync(join(folders.dataDir, 'local.json'), 'utf8');
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const { id } = (await client.robots.create({ name: 'Emil', model: ROBOT_MODEL_NAMES.humanoid })).robot;
  const { code, said } = await run('link', '--robot', id);
  expect([code, robotOf(said.trim())]).toEqual([0, id]);
  expect(readFileSync(join(folders.dataDir, 'local.json'), 'utf8')).toBe(before);
  expect(await run('link', '--robot', 'nosuch')).toMatchObject({ code: 1, said: expect.stringContaining('There is no link.') });
});

it('the page of a class shows when its links end, and loads nothing', () => {
  const page = classPage(
    [{ name: 'Ada', robotId: 'r1', link: 'http://127.0.0.1:8080/?key=k1~x' }],
    new Date('2026-03-04T12:30:00'),
  );
  expect(page).toContain('The links end at 4 Mar 2026, 12:30.');
  expect(page).not.toMatch(/src=|@import|url\(/);
});
