/** Runs Python with a platform: the library's tests that need one, and programs. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PYTHON_LIBRARY_DIR, pythonWith } from '../../scripts/ensure-python.ts';
import { readTally } from '../../scripts/python-checks.ts';

export interface PytestPlace {
  /** The address of the platform, and a robot with a runtime in its room. */
  connection: { rcs_url: string; api_key: string; robot_id: string };
  /** The folder for the connection, which only its owner can read, and for the report. */
  workDir: string;
}

/**
 * Runs files of clients/python/tests/platform with this version of LiveKit's SDK.
 * @throws Error if pytest wrote no report
 */
export async function runPytest(
  livekitVersion: string,
  files: readonly string[],
  { connection, workDir }: PytestPlace,
): Promise<{ passed: number; failed: number; output: string }> {
  mkdirSync(workDir, { recursive: true });
  const connectionFile = join(workDir, 'connection.json');
  const report = join(workDir, 'report.xml');
  writeFileSync(connectionFile, JSON.stringify(connection), { mode: 0o600 });
  const paths = files.map((file) => join('tests/platform', file));
  const { output } = await runScript(
    pythonWith(livekitVersion, () => {}),
    ['-m', 'pytest', '--quiet', '--tb=short', `--junitxml=${report}`, ...paths],
    () => {},
    { cwd: PYTHON_LIBRARY_DIR, env: { ...process.env, PLATFORM_TEST_CONNECTION: connectionFile } },
  );
  return { ...readTally(readFileSync(report, 'utf8')), output };
}

/** Far longer than a healthy run takes; a hanging program must not outlive its test. */
const RUN_WITHIN_MS = 540_000;

/** @param onLine Gets each line as it is printed. */
export function runScript(
  python: string,
  args: string[],
  onLine: (line: string) => void = () => {},
  place: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<{ output: string; exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const running = spawn(python, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: RUN_WITHIN_MS, ...place });
    let output = '';
    createInterface({ input: running.stdout }).on('line', (line) => {
      output += `${line}\n`;
      onLine(line);
    });
    running.on('error', reject);
    running.on('close', (exitCode) => resolve({ output, exitCode }));
  });
}
