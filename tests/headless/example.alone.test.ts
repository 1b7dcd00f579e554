/** The package as a program imports it, `simplesim`: compiled, in a plain process. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { isStale, ROOT_DIR } from '../../scripts/compiled.mjs';

const run = promisify(execFile);
const node = (...args: string[]) => run(process.execPath, args, { cwd: ROOT_DIR });

beforeAll(async () => {
  if (isStale()) await node('scripts/compile.mjs');
}, 180_000);

it('the example sorts cubes twice, with the same course', async () => {
  const { stdout } = await node('--import', 'tsx', join(ROOT_DIR, 'examples/headless.ts'), '4');
  expect(stdout.match(/ is on pad_/g)).toHaveLength(6);
  expect(stdout).toContain(': the same.');
});

it('a process ends automatically when its simulation waits for nothing, disposed of or not', async () => {
  const program = `import { createSimulation } from 'simplesim';
    const simulation = await createSimulation({ seed: 5 });
    console.log((await simulation.invoke('set_head', { yaw: 0.2, pitch: 0 })).status, simulation.hash());`;
  const { stdout } = await node('--input-type=module', '-e', program);
  expect(stdout).toMatch(/^done [0-9a-f]{16}\n$/);
});
