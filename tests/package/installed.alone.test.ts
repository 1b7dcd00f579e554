/** Each command of the installed package, from a folder that has nothing else; the import, and its types. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { WORTH_FROM_BYTES } from '../../src/launch/compression.ts';
import { findSfuBinary } from '../../src/launch/sfu-binary.ts';
import { askAndMove } from './ask-and-move.ts';
import { filesIn, type Installation, installPackage, ROOT } from './install.ts';

const run = promisify(execFile);
const MB = 1e6;
/** The text that teaches an agent to use the tools. */
const SKILL = 'skills/simplesim/SKILL.md';
/** A PATH without a media server, Go and Chromium, and an environment without our settings. */
const BARE_ENV = { PATH: dirname(process.execPath), HOME: process.env.HOME ?? '/', NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' };

let installed: Installation;
const children: ChildProcess[] = [];
beforeAll(async () => {
  installed = await installPackage();
}, 300_000);
afterAll(() => {
  for (const { pid = 0, exitCode } of children) if (exitCode === null) killGroup(pid);
  installed?.remove();
});

/** With Node 20 the worker is a process that `simplesim` has started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

/** Runs a command to its end, whatever its exit code. */
async function simplesim(args: string[], env: NodeJS.ProcessEnv = BARE_ENV): Promise<{ code: number; said: string }> {
  const { folder, program } = installed;
  return run(process.execPath, [program, ...args], { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
  );
}

const textOf = (file: string): string => {
  const bytes = readFileSync(join(installed.packageDir, file));
  return (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString();
};

describe('the package', () => {
  it('the package takes at most 4.1 MB to download and 120 MB installed', () => {
    expect(installed.packedBytes / MB).toBeLessThanOrEqual(4.1);
    expect(installed.installedBytes / MB).toBeLessThanOrEqual(120);
  });

  it('the package contains the page, programs, scenes, tasks and licences, and no sources, tests or tools', () => {
    const files = filesIn(installed.packageDir);
    const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.slice(0, file.indexOf('/'))));
    expect([...folders].sort()).toEqual(['bin', 'compiled', 'dist', 'scenes', 'sfu', 'skills', 'tasks', 'types']);
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.html', 'compiled/third-party-notices.txt', SKILL]),
    );
    expect(files.filter((file) => /(?<!\.d)\.tsx?$|\.map$|\.test\.|vite/.test(file))).toEqual([]);
  });

  it('the package contains the text of the skill once', () => {
    const rule = readFileSync(join(ROOT, 'plugins', SKILL.replace('skills', 'simplesim/skills')), 'utf8')
      .split('\n')
      .find((line) => line.startsWith('- Trust'));
    expect(rule).toBeDefined();
    expect(filesIn(installed.packageDir).filter((file) => textOf(file).includes(rule ?? ''))).toEqual([SKILL]);
  });

  it('the package names no command that only a clone has', () => {
    const programs = filesIn(installed.packageDir).filter(
      (file) => /\.(?:m?js|br|html|d\.ts)$/.test(file) && !/^dist\/manual\/|^compiled\/libraries\/|swagger-ui/.test(file),
    );
    const found = programs.flatMap((file) =>
      [...textOf(file).matchAll(/.{0,40}(?:npm (?:start|ci|run)\b|\.\/clients\/).{0,40}/g)].map(([line]) => `${file}: ${line}`),
    );
    // Hot reload: its refusal mentions the clone, and only a clone has its line in the help.
    expect(found.filter((line) => !line.includes('npm run dev'))).toEqual([]);
    expect(programs.length).toBeGreaterThan(500);
  });
});

describe('without a media server, a browser or Go', () => {
  it('simplesim prints its version and the help of each command', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await simplesim(['--version'])).toEqual({ code: 0, said: `${version}\n` });
    for (const command of ['start', 'link', 'class', 'headless', 'verify', 'eval', 'mcp', 'worker', 'service']) {
      const { code, said } = await simplesim([command, '--help']);
      expect([command, code, said.split('\n')[0]]).toEqual([command, 0, expect.stringMatching(`^npx simplesim ${command}\\b`)]);
    }
  });

  it('simplesim evaluates an agent and verifies the proof', async () => {
    const task = 'node_modules/simplesim/tasks/fetch/warehouse-two-blues.json';
    const evaluation = await simplesim(['eval', task, '--agent', 'planner', '--seeds', '1']);
    expect(evaluation.said).toContain('1 of 1 runs passed');
    const proofs = readdirSync(join(installed.folder, 'results/proofs')).map((name) => `results/proofs/${name}`);
    expect(proofs).toHaveLength(1);
    expect(await simplesim(['verify', ...proofs, '--tasks', task])).toMatchObject({
      code: 0,
      said: expect.stringContaining(': true.'),
    });
  });

  it('simplesim mcp lists its tools within 2 s, and its robot moves within 5 s', async () => {
    const times = await askAndMove(process.execPath, [installed.program, 'mcp'], installed.folder, BARE_ENV);
    expect(times.listedMs).toBeLessThanOrEqual(2_000);
    expect(times.movedMs).toBeLessThanOrEqual(5_000);
  }, 60_000);

  it('createSimulation simulates a robot in a process of the user', async () => {
    const program = `import { createSimulation } from 'simplesim';
      const simulation = await createSimulation({ seed: 5 });
      console.log((await simulation.invoke('set_head', { yaw: 0.2, pitch: 0 })).status, simulation.hash());`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: installed.folder,
      env: BARE_ENV,
    });
    expect(stdout).toMatch(/^done [0-9a-f]{16}\n$/);
  });

  it('simplesim rejects hot reload, which needs the sources', async () => {
    expect(await simplesim(['start', '--dev'])).toMatchObject({ code: 2, said: expect.stringContaining('Clone the repository') });
  });
});

describe('a strict TypeScript program', () => {
  /** Returns the output of the compiler; empty if it finds nothing. */
  async function problemsOf(program: string, module: 'nodenext' | 'preserve'): Promise<string> {
    writeFileSync(join(installed.folder, 'program.ts'), program);
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', module];
    const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'program.ts'];
    return run(process.execPath, tsc, { cwd: installed.folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }
  const sampleOf = (file: string): string => /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1] ?? '';

  it.each([
    ['docs/headless.md', 'nodenext'],
    ['docs/headless.md', 'preserve'],
    ['scripts/package/README.md', 'nodenext'],
  ] as const)('the sample of %s type-checks with module %s', async (file, module) => {
    expect(sampleOf(file)).toContain('createSimulation');
    expect(await problemsOf(sampleOf(file), module)).toBe('');
  });

  it('the compiler reports a method that does not exist', async () => {
    const program = sampleOf('docs/headless.md').replace('simulation.hash()', 'simulation.digest()');
    expect(await problemsOf(program, 'nodenext')).toContain("Property 'digest' does not exist");
  });
});

describe('with a media server on the PATH', () => {
  let env: NodeJS.ProcessEnv;
  const local = (): Record<string, string> => JSON.parse(readFileSync(join(installed.folder, '.simplesim/local.json'), 'utf8'));

  /** Starts a command that keeps running. */
  function start(...args: string[]): { child: ChildProcess; until(sentence: string): Promise<void> } {
    const child = spawn(process.execPath, [installed.program, ...args], { cwd: installed.folder, env, detached: true });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => (said += bytes));
    return {
      child,
      async until(sentence) {
        while (!said.includes(sentence)) {
          if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}. ${said}`);
          await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')]);
        }
      },
    };
  }

  it('simplesim starts a platform in the current folder, and a program drives its robot', async () => {
    const sfuDir = dirname(await findSfuBinary(process.env, () => {}));
    env = { ...BARE_ENV, PATH: `${sfuDir}:${BARE_ENV.PATH}`, SIMPLESIM_PORT: '0', SIMPLESIM_SFU_PORT: '0' };
    const platform = start('start');
    await platform.until('Ctrl-C ends the platform');
    const { base_url: baseUrl = '', rcs_url: rcsUrl = '', api_key: apiKey = '', robot_id: robotId = '' } = local();

    const robot = start('headless');
    await robot.until('robot_ready');
    const session = await connect(new Client({ rcsUrl, apiKey }), robotId, { workerNames: [], keepSession: true });
    await session.waitUntilReady({ timeoutMs: 60_000 });
    expect(await session.invoke('set_head', { yaw: 0.2, pitch: 0 })).toMatchObject({ status: 'done' });
    await session.disconnect();

    const link = await simplesim(['link'], env);
    expect(link).toMatchObject({ code: 0, said: expect.stringContaining(`${baseUrl}/?key=`) });

    const worker = start('worker');
    await worker.until('"registered"');

    // The page, for browsers and for programs that accept no compressed answer.
    const page = await (await fetch(baseUrl)).text();
    const scripts = [...page.matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => path);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      const plain = await fetch(`${baseUrl}/${script}`, { headers: { 'Accept-Encoding': 'identity' } });
      expect([script, plain.status, plain.headers.get('content-encoding')]).toEqual([script, 200, null]);
      const brotli = await fetch(`${baseUrl}/${script}`, { headers: { 'Accept-Encoding': 'br' } });
      const text = await plain.text();
      const encoding = text.length < WORTH_FROM_BYTES ? null : 'br';
      expect([await brotli.text(), brotli.headers.get('content-encoding')]).toEqual([text, encoding]);
    }
    for (const path of ['/manual/', '/rcs/docs', '/rcs/docs/swagger-ui-bundle.js'])
      expect([path, (await fetch(`${baseUrl}${path}`)).status]).toEqual([path, 200]);

    for (const { child } of [robot, worker, platform]) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
    expect(existsSync(join(installed.packageDir, '.cache'))).toBe(false);
  }, 180_000);

  it('simplesim serves the control service alone, and makes keys for it', async () => {
    const sfu = {
      LIVEKIT_URL: 'ws://127.0.0.1:1',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret-of-this-test-alone-0123456789',
    };
    env = { ...BARE_ENV, ...sfu, SIMPLESIM_DATA_DIR: join(installed.folder, 'service-data') };
    const service = start('service', 'serve', '--port', '0');
    await service.until('"serving"');
    const key = await simplesim(['service', 'keys', 'create', '--account', 'test'], env);
    expect(key).toMatchObject({ code: 0, said: expect.stringMatching(/^sk_live_/) });
    service.child.kill('SIGTERM');
    await once(service.child, 'exit');
  }, 120_000);
});
