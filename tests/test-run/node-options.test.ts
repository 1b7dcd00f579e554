import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeOptions } from '../../scripts/test-files.ts';

it('NODE_OPTIONS loads a file from a folder with spaces and quotes in its name, and keeps the options that were given', () => {
  const folder = mkdtempSync(join(tmpdir(), 'my "own" projects '));
  try {
    const file = join(folder, 'first.cjs');
    writeFileSync(file, "console.log('first');");
    const options = nodeOptions('--stack-trace-limit=7', file);
    expect(nodeOptions(options, file)).toBe(options);
    const env = { ...process.env, NODE_OPTIONS: options };
    const printed = execFileSync(process.execPath, ['-e', 'console.log(Error.stackTraceLimit)'], { env, encoding: 'utf8' });
    expect(printed).toBe('first\n7\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
