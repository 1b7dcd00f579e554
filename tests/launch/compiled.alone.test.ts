/** A deployment runs compiled JavaScript: service and worker are started with the commands of deploy/Dockerfile, and used. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
/** The aim is 250 MB; the rest is the difference between machines. */
const SERVICE_MAX_MB = 300;
const run = promisify(execFile);

let dataDir: string;
let sfu: Sfu;
let env: NodeJS.ProcessEnv;
const children: ChildProcess[] = [];

function stageOf(target: string): string {
  const dockerfile = readFileSync(join(PROJECT_DIR, 'deploy/Dockerfile'), 'utf8');
  return dockerfile.split(/^FROM /m).find((text) => text.split('\n')[0]?.endsWith(` AS ${target}`)) ?? '';
}

/** Lays out the files that stages copy from the build, as the image has them. */
function layOut(dir: string, targets: string[]): void {
  for (const [, words = ''] of targets.flatMap((target) => [...stageOf(target).matchAll(/^COPY --from=build (.+)$/gm)])) {
    const paths = words.split(' ');
    const to = join(dir, paths.pop() ?? '');
    // The page is built for other tests; an evaluation without pictures does not need it.
    for (const path of paths.filter((one) => one !== '/app/dist')) {
      const from = path.replace(/^\/app\//, `${PROJECT_DIR}/`);
      const place = words.endsWith('/') ? join(to, basename(path)) : to;
      mkdirSync(join(place, '..'), { recursive: true });
      if (path.endsWith('/node_modules')) symlinkSync(from, place);
      else cpSync(from, place, { recursive: true });
    }
  }
}

/** The command of an image, without the parts that only a container needs. */
function commandOf(target: string): string[] {
  const stage = stageOf(target);
  const [, command] = /^CMD (\[.*\])$/m.exec(stage) ?? [];
  return JSON.parse(command ?? 'null') as string[];
}

/** @returns the process, with a function that finds the first line of its log that contains this word */
function start([, ...args]: string[]): { child: ChildProcess; reported(event: string): Promise<Record<string, unknown>> } {
  const child = spawn(process.execPath, args, { cwd: PROJECT_DIR, env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const log: Record<string, unknown>[] = [];
  lines.on('line', (line) => log.push(JSON.parse(line)));
  return {
    child,
    async reported(event) {
      for (;;) {
        const entry = log.find((each) => each.event === event);
        if (entry) return entry;
        await Promise.race([
          once(lines, 'line'),
          once(child, 'exit').then(() => Promise.reject(new Error(`It ended. ${JSON.stringify(log)}`))),
        ]);
      }
    },
  };
}

beforeAll(async () => {
  await run(process.execPath, [join(PROJECT_DIR, 'scripts/compile.mjs')]);
  dataDir = mkdtempSync(join(tmpdir(), 'simplesim-compiled-'));
  sfu = await startSfu({ port: 0, roomsOnJoin: false });
  const { NODE_OPTIONS: _options, DATABASE_URL: _database, ...rest } = process.env;
  env = {
    ...rest,
    NODE_ENV: 'production',
    SIMPLESIM_DATA_DIR: dataDir,
    LIVEKIT_URL: sfu.url,
    LIVEKIT_API_KEY: sfu.apiKey,
    LIVEKIT_API_SECRET: sfu.apiSecret,
    RCW_RSL_REQUIRED: 'false',
  };
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await sfu.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('a compiled service and a compiled worker put a robot into a room, and the robot obeys commands', async () => {
  const command = commandOf('control-service');
  expect(command[0]).toBe('node');
  expect(command.find((word) => !word.startsWith('--') && word !== 'node')).toBe('compiled/launch/simplesim.js');
  const service = start([...command.slice(0, -1), '0']);
  const { base_url: listening } = await service.reported('serving');
  const baseUrl = String(listening).replace('0.0.0.0', '127.0.0.1');
  expect(await (await fetch(`${baseUrl}/healthz`)).json()).toMatchObject({ status: 'ok' });
  if (process.platform === 'linux') {
    const residentMB = (): number => {
      const [, kB] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8')) ?? [];
      return Number(kB) / 1024;
    };
    // Node soon frees the memory for compiling the database; with Node 24 this memory is more than all the rest.
    await expect.poll(residentMB).toBeLessThan(SERVICE_MAX_MB);
  }

  const keys = ['compiled/launch/simplesim.js', 'service', 'keys', 'create', '--account', 'test'];
  const { stdout } = await run(process.execPath, keys, { cwd: PROJECT_DIR, env });
  const client = new Client({ rcsUrl: `${baseUrl}/rcs`, apiKey: stdout.trim() });
  const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
  const worker = start(commandOf('worker'));
  await worker.reported('registered');
  const session = await connect(client, robot.id, { workerNames: ['rcw'], rcwIdentityPrefix: 'rcw' });
  try {
    await session.waitUntilReady({ timeoutMs: 60_000 });
    expect(await session.invoke('set_velocity' as string, { vx: 0.3 })).toMatchObject({ status: 'done' });
    expect(await session.invoke('stop' as string, {})).toMatchObject({ status: 'done' });
  } finally {
    await session.disconnect();
  }
  for (const { child } of [worker, service]) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  }
}, 300_000);

it('the files of the image for evaluations suffice for an evaluation, and the command of the image starts it', async () => {
  const image = join(dataDir, 'image');
  layOut(image, ['control-service', 'eval']);
  const [, entry = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(stageOf('eval')) ?? [];
  const words = (JSON.parse(entry) as string[]).slice(1).map((word) => word.replace(/^\/app\//, `${image}/`));
  const work = join(dataDir, 'work');
  mkdirSync(work);
  const evaluation = [...words, 'eval', join(image, 'tasks/fetch/hall-hold-blue.json'), '--agent', 'planner', '--seeds', '1'];
  const { stdout } = await run(process.execPath, [...evaluation, '--out', 'results'], { cwd: work, env });
  expect(stdout).toContain('1 of 1 runs passed');
  expect(existsSync(join(work, 'results/report.html'))).toBe(true);
  const help = await run(process.execPath, [...words, ...commandOf('eval')], { cwd: work, env });
  expect(help.stdout).toContain('npm run simplesim -- eval');
});

it('traces of compiled programs name the lines of the sources', async () => {
  const program = `
    const { runCommand } = await import('./compiled/launch/run-command.js');
    await runCommand(async () => {
      const { readPort } = await import('./compiled/launch/ports.js');
      try { readPort('x', 'SIMPLESIM_PORT'); } catch (error) { console.log(error.stack); }
    });`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await run(process.execPath, args, { cwd: PROJECT_DIR });
  expect(stdout).toMatch(/at readPort \(.*\/src\/launch\/ports\.ts:\d+:\d+\)/);
});

it('two processes that compile at the same time do not take each other’s files away', async () => {
  const compile = () => run(process.execPath, [join(PROJECT_DIR, 'scripts/compile.mjs')]);
  await Promise.all([compile(), compile()]);
  const left = readdirSync(join(PROJECT_DIR, 'compiled'), { recursive: true, encoding: 'utf8' });
  expect(left).toContain(join('launch', 'simplesim.js'));
  expect(left.filter((name) => /\.\d+$/.test(name))).toEqual([]);
});
