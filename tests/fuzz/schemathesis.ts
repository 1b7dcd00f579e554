import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '4.32.5';
const PROJECT = join(import.meta.dirname, '../..');
const PLACE = join(PROJECT, `.cache/python/schemathesis-${VERSION}`);

/** The options of a run of the fuzzer. */
export interface FuzzOptions {
  /** Root of a face, which serves `openapi.json`. */
  url: string;
  apiKey: string;
  /** Test cases of an operation, in each phase that takes a number. */
  maxExamples: number;
  seed: number;
  /** A robot to use instead of made-up ids; it is not deleted then. @default made-up ids, and ids from answers */
  robotId?: string;
  /** @default all: examples, coverage, fuzzing, stateful */
  phases?: string[];
}

export interface FuzzReport {
  ok: boolean;
  /** The number of test cases that were sent. */
  cases: number;
  /** The fuzzer's output. */
  output: string;
}

/** Makes the fuzzer's virtual environment under .cache/python, at the first run. */
export async function ensureSchemathesis(): Promise<void> {
  const ready = join(PLACE, 'ready');
  if (existsSync(ready)) return;
  const run = promisify(execFile);
  await run('python3', ['-m', 'venv', '--clear', PLACE]);
  await run(program('python'), ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`]);
  writeFileSync(ready, '');
}

/** Runs all checks of the fuzzer against one face of a service. */
export async function runSchemathesis(options: FuzzOptions): Promise<FuzzReport> {
  const scratch = join(PROJECT, '.cache/fuzz');
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, 'run-'));
  try {
    const config = join(folder, 'schemathesis.toml');
    writeFileSync(config, configOf(options), { mode: 0o600 });
    const args = ['--config-file', config, 'run', `${options.url}/openapi.json`, '--no-color'];
    args.push('--max-examples', String(options.maxExamples), '--seed', String(options.seed), '--generation-database', 'none');
    if (options.phases) args.push('--phases', options.phases.join(','));
    const { code, output } = await collect(program('schemathesis'), args, folder, { FUZZ_API_KEY: options.apiKey });
    return { ok: code === 0, cases: Number(/(\d+) generated/.exec(output)?.[1] ?? 0), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const program = (name: string): string => join(PLACE, process.platform === 'win32' ? `Scripts/${name}.exe` : `bin/${name}`);

/** Enables all checks, adapted where the contract differs from their assumptions. */
function configOf({ robotId }: FuzzOptions): string {
  const lines = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the fuzzer reads the key from its environment.
    'headers = { Authorization = "Bearer ${FUZZ_API_KEY}" }',
    // Documented answers for a failing runtime or SFU; 500 is not documented.
    'checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 502, 503, 504]',
    // The state of a robot without a session is 200, also after its session was deleted.
    ...['[[operations]]', 'include-operation-id = "getSession"', 'checks.use_after_free.enabled = false'],
    // A press counts with any body: an invalid body must not keep a robot moving.
    ...['[[operations]]', 'include-operation-id = "emergencyStop"', 'checks.negative_data_rejection.enabled = false'],
    // A body that matches its schema may contain a wrong PIN, or name another robot: 400 by the contract.
    ...['claimRobot', 'createParticipantToken'].flatMap((id) => [
      '[[operations]]',
      `include-operation-id = "${id}"`,
      'checks.positive_data_acceptance.expected-statuses = [200, 400, 401, 404, 409, 429]',
    ]),
  ];
  if (robotId !== undefined) {
    lines.push('[[operations]]', 'include-operation-id = "deleteRobot"', 'enabled = false');
    lines.push('[parameters]', `"path.robot_id" = "${robotId}"`);
  }
  return `${lines.join('\n')}\n`;
}

function collect(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: chunks.join('') }));
  });
}
