/** LiveKit's Python SDK, old and new, drives the robot by the wire contract alone. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';

const RUNNER = join(import.meta.dirname, '../python/run.py');
const hasPython = spawnSync('python3', ['-m', 'venv', '--help'], { stdio: 'ignore' }).status === 0;

// Without Python there is nothing to run; where it is, it runs.
if (hasPython) {
  test('Python clients of LiveKit 0.22 and 1.2 probe, call, read and receive a picture', async ({
    robot,
    platform,
    open,
  }, info) => {
    test.setTimeout(600_000);
    await open(await robot.keyUrl());
    const caller = await robot.join();
    await caller.ready();
    const connection = info.outputPath('connection.json');
    writeFileSync(connection, JSON.stringify({ rcs_url: platform.rcsUrl, api_key: platform.apiKey, robot_id: robot.id }), {
      mode: 0o600,
    });
    const { output, exitCode } = await runPython([RUNNER, connection]);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => line.ok === false)).toEqual([]);
    const total = lines.at(-1) as { passed: number; failed: number };
    expect(total.failed).toBe(0);
    expect(total.passed).toBeGreaterThan(40);
    expect(exitCode).toBe(0);
  });
}

function runPython(args: string[]): Promise<{ output: string; exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const python = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    python.stdout.on('data', (chunk) => {
      output += chunk;
    });
    python.on('error', reject);
    python.on('close', (exitCode) => resolve({ output, exitCode }));
  });
}
