import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { treeTimeS } from '../costs/tree-time.ts';

/** A program that reports when its child has spent 0.3 s of processor time, and ends when its input ends. */
const SPENDS = `
const spend = 'while (process.cpuUsage().user < 300_000);';
require('node:child_process').execFileSync(process.execPath, ['-e', spend]);
process.stdin.resume();
process.stdout.write('spent');
`;

it.skipIf(process.platform !== 'linux')(
  'the time of a process tree includes that of living children, and of their dead children',
  async () => {
    // Other systems have no /proc to read.
    if (process.platform !== 'linux') return expect(treeTimeS(process.pid)).toBe(0);
    const child = spawn(process.execPath, ['-e', SPENDS], { stdio: ['pipe', 'pipe', 'inherit'] });
    const start = treeTimeS(process.pid);
    await once(child.stdout, 'data');
    expect(treeTimeS(process.pid) - start).toBeGreaterThan(0.29);
    child.stdin.end();
    await once(child, 'close');
    expect(treeTimeS(process.pid) - start).toBeGreaterThan(0.29);
  },
);
