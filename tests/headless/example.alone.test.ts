/** The package as a program imports it, `simplesim`: compiled, in a plain process. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStale, ROOT_DIR } from '../../scripts/compiled.mjs';

const run = promisify(execFile);
const node = (...args: string[]) => run(process.execPath, args, { cwd: ROOT_DIR });

beforeAll(async () => {
  if (isStale()) await node('scripts/compile.mjs');
}, 180_000);

it('the example sorts cubes twice, with one story', async () => {
  const { stdout } = await node('--import', 'tsx', join(ROOT_DIR, 'examples/headless.ts'), '4');
  expect(stdout.match(/ is on pad_/g)).toHaveLength(6);
  expect(stdout).toContain(': the same.');
});

it('a process ends by itself when its simulation waits for nothing, disposed of or not', async () => {
  const program = `import { createSimulation } from 'simplesim';
    const simulation = await createSimulation({ seed: 5 });
    console.log((await simulation.invoke('set_head', { yaw: 0.2, pitch: 0 })).status, simulation.hash());`;
  const { stdout } = await node('--input-type=module', '-e', program);
  expect(stdout).toMatch(/^done [0-9a-f]{16}\n$/);
});

describe('a TypeScript program in a folder of its own', () => {
  let folder: string;
  beforeAll(async () => {
    await node('--import', 'tsx', 'scripts/headless-types.ts');
    folder = mkdtempSync(join(tmpdir(), 'simplesim-user-'));
    // As `npm install /path/to/this/folder` leaves it.
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    symlinkSync(ROOT_DIR, join(folder, 'node_modules/simplesim'));
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(ROOT_DIR, 'node_modules', name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What a strict compiler says of the program; empty when it finds nothing. */
  async function problemsOf(program: string, module: 'nodenext' | 'preserve'): Promise<string> {
    writeFileSync(join(folder, 'program.ts'), program);
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', module];
    const tsc = [join(ROOT_DIR, 'node_modules/typescript/bin/tsc'), ...options, 'program.ts'];
    return run(process.execPath, tsc, { cwd: folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  const SAMPLE = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT_DIR, 'docs/headless.md'), 'utf8'))?.[1] ?? '';

  it.each(['nodenext', 'preserve'] as const)('type-checks the sample of the manual with module %s', async (module) => {
    expect(SAMPLE).toContain('createSimulation');
    expect(await problemsOf(SAMPLE, module)).toBe('');
  });

  it('is told of a method that there is not', async () => {
    const program = SAMPLE.replace('simulation.hash()', 'simulation.digest()');
    expect(await problemsOf(program, 'nodenext')).toContain("Property 'digest' does not exist");
  });
});
