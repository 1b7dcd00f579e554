import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHttpServer } from '../../src/launch/http-server.ts';
import { readServiceArgs } from '../../src/launch/service-args.ts';
import { readStartArgs } from '../../src/launch/start-args.ts';
import { type Command, commandArgs } from './helpers/command.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';

/** No server answers there, and a worker retries for ever. */
const NO_SFU = {
  LIVEKIT_URL: 'ws://127.0.0.1:9',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'a-secret-of-thirty-two-characters',
};

let folders: ReturnType<typeof makeFakeDist>;
const children: ChildProcess[] = [];
beforeEach(() => {
  folders = makeFakeDist();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folders.root, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  said: string;
}

/** Runs a command of the project to its end. @param stdout `unread` is a pipe whose reader is gone */
async function run(
  command: Command,
  {
    args = [],
    env = {},
    stdout = 'ignore',
    limits = '',
  }: { args?: string[]; env?: object; stdout?: 'unread' | 'ignore' | number; limits?: string },
): Promise<Ended> {
  const node = [process.execPath, ...commandArgs(command), ...args];
  const child = spawn('sh', ['-c', `${limits} exec "$@"`, 'sh', ...node], {
    env: {
      ...process.env,
      SIMPLESIM_DATA_DIR: folders.dataDir,
      SIMPLESIM_DIST_DIR: folders.distDir,
      SIMPLESIM_PORT: '0',
      SIMPLESIM_SFU_PORT: '0',
      ...env,
    },
    stdio: ['ignore', stdout === 'unread' ? 'pipe' : stdout, 'pipe'],
  });
  children.push(child);
  child.stdout?.destroy();
  const exit = new Promise<number | null>((done) => child.once('close', done));
  const said = child.stderr ? await text(child.stderr) : '';
  return { code: await exit, said };
}

describe('a command whose output cannot be written', () => {
  it('a command ends in order, with a notice, when no program reads its output any more', async () => {
    const { code, said } = await run('worker', { env: NO_SFU, stdout: 'unread' });
    expect(said).toBe('No program reads the output any more, so this ends. To keep it running, send the output to a file.\n');
    expect(code).toBe(1);
  }, 300_000);

  it.runIf(process.platform === 'linux')(
    'a command that prints one answer fails when the disk is full',
    async () => {
      const { code, said } = await run('service', { stdout: openSync('/dev/full', 'w') });
      expect(said).toBe('The output cannot be written (ENOSPC). What the command did is done, but its answer is lost.\n');
      expect(code).toBe(1);
    },
    300_000,
  );
});

describe('a command that may open too few files', () => {
  // If Node may not open a package’s file, it tries another name and then reports that the file does not exist.
  it.runIf(process.platform === 'linux').each([
    ['worker', 24],
    ['worker', 40],
    ['worker', 100],
    ['service', 100],
    ['service', 160],
    ['link', 40],
  ] as const)(
    'a command that may open too few files reports it in a sentence: %s, %d files',
    async (command, files) => {
      const { code, said } = await run(command, { env: NO_SFU, limits: `ulimit -n ${files};` });
      expect(said).toBe('Too many files are open (EMFILE). Raise the limit (ulimit -n 1024), then start again.\n');
      expect(code).toBe(1);
    },
    300_000,
  );
});

describe('arguments that a command does not know', () => {
  it.each([['--port'], ['--port=9000'], ['9000'], ['--dev=yes']])('npm start rejects the unknown argument %s', (arg) => {
    expect(() => readStartArgs([arg])).toThrow('See: npm start -- --help');
  });

  it('npm start prints its settings on request, and starts nothing', () => {
    expect(readStartArgs(['--help'])).toBeNull();
    expect(readStartArgs(['-h'])).toBeNull();
    expect(readStartArgs([])).toEqual({ dev: false });
    expect(readStartArgs(['--dev'])).toEqual({ dev: true });
    expect(readStartArgs(['--new-sfu-keys'])).toEqual({ dev: false, newSfuKeys: true });
  });

  it.each([
    [['--lan'], null],
    [['--lan='], null],
    [['--lan', '192.168.1.7'], '192.168.1.7'],
    [['--lan=192.168.1.7'], '192.168.1.7'],
  ])('npm start serves phones with %j', (args, address) => {
    expect(readStartArgs(args)).toEqual({ dev: false, lan: { address } });
    expect(readStartArgs([...args, '--dev'])).toEqual({ dev: true, lan: { address } });
  });

  it('npm start rejects an address that this machine does not have, and lists the valid ones', async () => {
    const { code, said } = await run('start', { args: ['--lan', '203.0.113.9'] });
    expect(said).toContain(
      'The platform did not start. This machine has no address "203.0.113.9" in a network. Start with one of these:',
    );
    expect(code).toBe(2);
  }, 300_000);

  it('npm run link for a phone names the command to start when phones are not served', async () => {
    writeFileSync(
      join(folders.root, 'local.json'),
      JSON.stringify({ rcs_url: 'a', api_key: 'b', robot_id: 'c', viewer_url: 'd' }),
    );
    const { code, said } = await run('link', { args: ['--lan'], env: { SIMPLESIM_DATA_DIR: folders.root } });
    expect(said).toContain(
      'There is no link. The platform serves this machine alone. Start it for the network: npm start -- --lan',
    );
    expect(code).toBe(1);
  }, 300_000);

  it('npm run link reports wrong arguments before anything else', async () => {
    const { code, said } = await run('link', { args: ['--profil', 'worker'] });
    expect(said).toContain('There is no link. There is no option --profil. Did you mean --profile?');
    expect(said).toContain('See: npm run link -- --help');
    expect(code).toBe(2);
  }, 300_000);

  it.each(['', ' '])('an empty address does not open the service to the network: "%s"', (host) => {
    expect(() => readServiceArgs(['serve', '--host', host])).toThrow('--host is empty');
  });
});

describe('an unusable address', () => {
  const app = { fetch: () => new Response() };

  // 192.0.2.0/24 is reserved for documentation (RFC 5737).
  it.each(['192.0.2.1', 'no-host.invalid', 'http://127.0.0.1'])(
    'the unusable address %s is reported with the setting to correct',
    async (host) => {
      await expect(openHttpServer(0, app, undefined, { host, hostSetting: '--host' })).rejects.toThrow(
        new RegExp(
          `^This machine has no address "${host}" to listen at \\(E\\w+\\)\\. Set --host to one of its own: 127\\.0\\.0\\.1`,
        ),
      );
    },
  );
});
