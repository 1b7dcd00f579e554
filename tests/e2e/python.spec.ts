/** LiveKit's Python SDK, old and new, drives the robot by the wire contract alone. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { ensurePython } from '../../scripts/ensure-python.ts';
import { expect, test } from './support/fixtures.ts';

const RUNNER = join(import.meta.dirname, '../python/run.py');

test('Python clients of LiveKit 0.22 and 1.2 probe, call, read and receive a picture', async ({
  robot,
  platform,
  openHidden,
}, info) => {
  test.setTimeout(600_000);
  await openHidden(await robot.keyUrl());
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

test('a Python program does the whole flow of the specification over the wire alone', async ({ platform, openHidden }) => {
  test.setTimeout(600_000);
  const pages: Promise<Page>[] = [];
  const { output, exitCode } = await runPython([RUNNER, '--flow', platform.localFile], (line) => {
    const link = /^open (http\S+)/.exec(line)?.[1];
    if (link) pages.push(openHidden(link));
  });
  // Without what the link holds.
  expect(output.replace(/^open .*/m, 'open')).toMatch(
    /^robot .*\nopen\nskills .*\nplaced cube_0 on pad_.\npicture of \d+ bytes\nwalk cancelled\nsemantic command .*\nsession deleted\nrobot deleted\n$/,
  );
  expect(exitCode).toBe(0);
  const [page] = await Promise.all(pages);
  if (!page) throw new Error('no link was printed');
  await expect(page.getByText('The session was closed').first()).toBeVisible();
});

test('a Python program signs with a library of its own, drives, stops and waves a robot that takes nothing unsigned', async ({
  platform,
  openHidden,
}) => {
  test.setTimeout(600_000);
  const pages: Promise<Page>[] = [];
  const { output, exitCode } = await runPython([RUNNER, '--flow-signed', platform.localFile], (line) => {
    const link = /^open (http\S+)/.exec(line)?.[1];
    if (link) pages.push(openHidden(link));
  });
  expect(output.replace(/^open .*/m, 'open')).toMatch(
    /^robot .*\nopen\nskills get_state, set_upper_body, set_velocity, stop\ndrove .* m\nwaved with 41 poses\nsession deleted\nrobot deleted\n$/,
  );
  expect(exitCode).toBe(0);
  const [page] = await Promise.all(pages);
  if (!page) throw new Error('no link was printed');
  await expect(page.getByText('The session was closed').first()).toBeVisible();
});

/** @param onLine Gets each line as it is printed. */
function runPython(
  args: string[],
  onLine: (line: string) => void = () => {},
): Promise<{ output: string; exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const python = spawn(
      ensurePython(() => {}),
      args,
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    createInterface({ input: python.stdout }).on('line', (line) => {
      output += `${line}\n`;
      onLine(line);
    });
    python.on('error', reject);
    python.on('close', (exitCode) => resolve({ output, exitCode }));
  });
}
