import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { treeTimeS } from '../costs/tree-time.ts';

/** A program whose child has spent 0.3 s of a processor when it says so, and which ends when its input does. */
const SPENDS = `
const spend = 'while (process.cpuUsage().user < 300_000);';
require('node:child_process').execFileSync(process.execPath, ['-e', spend]);
process.stdin.resume();
process.stdout.write('spent');
`;

it.skipIf(process.platform !== 'linux')(
  'the time of a tree has that of living children, and of dead ones of theirs',
  async () => {
    // Elsewhere there is no /proc to read.
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
