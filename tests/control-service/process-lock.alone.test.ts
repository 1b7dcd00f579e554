import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeProcessLock } from '../../src/control-service/process-lock.ts';
import { buildProgram } from './helpers/build-program.ts';
import { LockWorld } from './helpers/lock-world.ts';

describe('the steps of taking a lock, in every order', () => {
  // Runs the processes one step after the other in every possible order, including deaths, so that nothing is random.
  it.each<[string, { holder: string | null; processes: number; deaths: number; releases: boolean; leastStates: number }]>([
    ['three that race over nothing', { holder: null, processes: 3, deaths: 0, releases: false, leastStates: 30 }],
    [
      'three that race over a dead one and release',
      { holder: 'dead', processes: 3, deaths: 0, releases: true, leastStates: 1_000 },
    ],
    ['three of which one dies somewhere', { holder: 'dead', processes: 3, deaths: 1, releases: true, leastStates: 10_000 }],
    ['a file without a word', { holder: '', processes: 3, deaths: 0, releases: true, leastStates: 1_000 }],
  ])('%s: never two holders, and a fresh process always gets the lock after the last', (_, { leastStates, ...setting }) => {
    const explored = new LockWorld(setting).explore();
    expect(explored.wrong).toEqual([]);
    expect(explored.states).toBeGreaterThan(leastStates);
  });

  it('finds a fault if a process removes the dead holder’s file before it makes its own', () => {
    expect(new LockWorld({ holder: 'dead', processes: 3, deaths: 0, releases: false }, 'careless').explore().wrong).toContain(
      'two processes hold the lock',
    );
  });
});

describe('a lock in a folder', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'simplesim-lock-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('a lock names its holder, can be taken from a dead one, and leaves nothing behind', () => {
    const path = join(root, 'a.lock');
    for (const left of [null, '999999999 long-gone\n', '', `${process.pid} another-boot:1\n`]) {
      if (left !== null) writeFileSync(path, left);
      const lock = takeProcessLock(path);
      expect('release' in lock).toBe(true);
      expect(takeProcessLock(path)).toEqual({ holderPid: process.pid });
      expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
      expect(readdirSync(root)).toEqual(['a.lock']);
      if ('release' in lock) lock.release();
      expect(readdirSync(root)).toEqual([]);
    }
  });

  it.runIf(existsSync('/proc/self/stat'))(
    'a lock can be taken from an ended process whose parent never waits for it',
    async () => {
      const path = join(root, 'a.lock');
      // The process that the shell started is killed, and the program that replaces the shell does not know of it.
      const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        const [line] = await once(createInterface({ input: parent.stdout }), 'line');
        const fields = () => readFileSync(`/proc/${line}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        // A shell that is not replaced would wait for its process.
        await vi.waitUntil(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n', { timeout: 60_000 });
        process.kill(Number(line), 'SIGKILL');
        await vi.waitUntil(() => fields()[0] === 'Z', { timeout: 60_000 });
        const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
        writeFileSync(path, `${line} ${boot}:${fields()[19]} taken\n`);
        const lock = takeProcessLock(path);
        expect('release' in lock).toBe(true);
        if ('release' in lock) lock.release();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('taking a lock removes the unfinished files of killed processes', () => {
    const path = join(root, 'a.lock');
    for (const name of ['a.lock.new-999999999-ab', 'a.lock.after-ab']) writeFileSync(join(root, name), '999999999 long-gone\n');
    const lock = takeProcessLock(path);
    expect(readdirSync(root)).toEqual(['a.lock']);
    if ('release' in lock) lock.release();
  });

  it('one process at a time has the lock while many race over dead holders', async () => {
    const program = await buildProgram(join(import.meta.dirname, 'helpers/lock-racer.ts'), root);
    const path = join(root, 'a.lock');
    writeFileSync(path, '999999999 long-gone\n');
    const racers = Array.from({ length: 4 }, () => spawn(process.execPath, [program, path, '40']));
    const taken = await Promise.all(
      racers.map(async ({ stdout, stderr }) => {
        const said: string[] = [];
        const trouble: string[] = [];
        stderr.on('data', (chunk) => trouble.push(String(chunk)));
        for await (const line of createInterface({ input: stdout })) said.push(line);
        expect(trouble.join('')).toBe('');
        return said;
      }),
    );
    expect(taken.map((lines) => lines.at(-1))).toEqual(racers.map(() => 'taken 40 times, alone each time'));
  }, 60_000);
});
