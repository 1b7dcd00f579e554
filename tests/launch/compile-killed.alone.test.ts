/** `scripts/simplesim.mjs` before anything is compiled, in a project of its own whose compiler the test writes. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SCRIPTS_DIR = resolve(import.meta.dirname, '../../scripts');

it('a killed compiler is reported with a remedy', () => {
  const project = mkdtempSync(join(tmpdir(), 'simplesim-run-'));
  try {
    for (const folder of ['scripts', 'src/launch']) mkdirSync(join(project, folder), { recursive: true });
    for (const name of ['simplesim.mjs', 'compiled.mjs']) copyFileSync(join(SCRIPTS_DIR, name), join(project, 'scripts', name));
    writeFileSync(join(project, 'scripts/compile.mjs'), "process.kill(process.pid, 'SIGKILL');");
    const run = spawnSync(process.execPath, [join(project, 'scripts/simplesim.mjs'), 'start'], { encoding: 'utf8' });
    expect(run.status).toBe(1);
    expect(run.stderr).toBe(
      'The commands could not be compiled: the process that compiles them was ended (SIGKILL). If memory is short, free some; then start again.\n',
    );
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}, 240_000);
