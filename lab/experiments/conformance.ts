import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openConformanceAddress } from '../../tests/mcp/helpers/conformance/address.ts';
import type { Experiment } from '../experiment.ts';

const REQUIREMENTS = ['2025-11-25', '2026-07-28'] as const;
/** The program of the protocol's authors. It needs Node 22. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node@22.23.3'];
/** A line about a scenario that the requirements do not count, with the reason. */
const NOT_REQUIRED = /^ {2}[✓✗] (\S+) \((.+)\)$/gm;
/** The folder of a scenario: its name and the time. */
const RESULT_FOLDER = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

interface Scenario {
  name: string;
  /** Why the requirements do not count it; null if they do. */
  notRequired: string | null;
  checks: Check[];
}

interface Run {
  scenarios: Scenario[];
  /** The exit code of the program: 0 if all required checks passed. */
  code: number | null;
}

/**
 * Runs the conformance program against the control service with a simulated robot. The program comes from the npm registry, and
 * later runs use the copy in npm's cache.
 */
export const conformance: Experiment<Record<never, never>, 'smoke' | 'full'> = {
  sizes: ['smoke', 'full'],
  choices: { noun: 'set of requirements', names: REQUIREMENTS },
  options: {},
  head: ['requirements', 'scenarios', 'checks passed', 'failed'],
  async run({ names }, { say, row, fail }) {
    const address = await openConformanceAddress();
    try {
      const figures: Record<string, Scenario[]> = {};
      for (const requirements of REQUIREMENTS.filter((each) => names.length === 0 || names.includes(each))) {
        const { scenarios, code } = await runProgram(address.url, requirements, say);
        figures[requirements] = scenarios;
        const required = scenarios.filter(({ notRequired }) => notRequired === null);
        const others = scenarios.filter(({ notRequired }) => notRequired !== null);
        row(requirements, required.length, ...counts(required));
        row(`${requirements}, not required`, others.length, ...counts(others));
        if (code !== 0) fail(`${requirements}: the program ended with ${code}`);
        for (const { name, checks } of required)
          for (const { id, errorMessage } of checks.filter(hasFailed)) fail(`${requirements} ${name}, ${id}: ${errorMessage}`);
      }
      return figures;
    } finally {
      await address.close();
    }
  },
};

/** A warning is about what a server should do, so it counts as a failure. */
const hasFailed = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING';

function counts(scenarios: Scenario[]): [passed: number, failed: number] {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  return [checks.filter(({ status }) => status === 'SUCCESS').length, checks.filter(hasFailed).length];
}

/** Runs the program with one set of requirements. */
async function runProgram(url: string, requirements: string, say: (line: string) => void): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'simplesim-conformance-'));
  try {
    const packages = PACKAGES.flatMap((name) => ['--package', name]);
    const args = ['conformance', 'server', '--url', url, '--requirements', requirements, '--output-dir', folder];
    const child = spawn('npx', ['--yes', ...packages, '--', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    say(printed);
    const notRequired = new Map([...printed.matchAll(NOT_REQUIRED)].map(([, name, reason]) => [name, reason]));
    const scenarios = readdirSync(folder).map((entry) => {
      const [, name = entry] = RESULT_FOLDER.exec(entry) ?? [];
      const checks: Check[] = JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8'));
      return { name, notRequired: notRequired.get(name) ?? null, checks };
    });
    return { scenarios, code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
