/**
 * How test files run, by the ends of their names:
 * - `*.alone.test.ts` starts a program, a server or a room, waits most of its time, or replaces a module. It has its own
 *   process, in parallel to others of its kind.
 * - `*.timed.test.ts` judges time or memory, which depend on earlier work in its process and on parallel processes. It has its
 *   own process too, but runs later, with one core each.
 * - All others share processes, because loading the modules again costs such a file more than its tests do.
 *   `tests/nothing-left.ts` fails a file that leaves something behind. Those of the control service also share the database
 *   server of the run.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files of this room share the database server of the test run. */
const SERVICE_ROOM = 'control-service';

/** Runs before every test file, whether or not it has its own process. */
export const SETUP = ['tests/costs/file-cost.ts', 'tests/client-models/setup.ts'];

const COMPILED_ONCE_FILE = join(import.meta.dirname, 'compiled-once.cjs');

/** How vitest starts the processes of files that start programs, which inherit the environment. See `compiled-once.cjs`. */
export const STARTED_FAST = {
  execArgv: ['--require', COMPILED_ONCE_FILE],
  env: { NODE_OPTIONS: nodeOptions(process.env.NODE_OPTIONS, COMPILED_ONCE_FILE) },
};

/** Returns `NODE_OPTIONS` with a file that is loaded first, once. Quoted, because a folder's name may contain spaces. */
export function nodeOptions(given: string | undefined, file: string): string {
  const option = `--require=${JSON.stringify(file)}`;
  return given?.includes(option) ? given : [given, option].filter(Boolean).join(' ');
}

/** How vitest runs files that share processes. */
export const SHARED_PROCESS = {
  isolate: false,
  setupFiles: [...SETUP, 'tests/nothing-left.ts'],
  sequence: { groupOrder: 1, setupFiles: 'list' as const },
};

const TESTS_DIR = join(import.meta.dirname, '../tests');
const ENDING = '.test.ts';

/** Every test file, in one of four lists. */
export function testFiles(): { shared: string[]; services: string[]; timed: string[]; alone: string[] } {
  const names = readdirSync(TESTS_DIR, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ENDING) && !path.startsWith('e2e/'))
    .map((path) => path.slice(0, -ENDING.length))
    .sort();
  const listOf = (name: string): 'shared' | 'services' | 'timed' | 'alone' => {
    if (name.endsWith('.timed')) return 'timed';
    if (name.endsWith('.alone')) return 'alone';
    return name.startsWith(`${SERVICE_ROOM}/`) ? 'services' : 'shared';
  };
  const pathsIn = (list: ReturnType<typeof listOf>): string[] =>
    names.filter((name) => listOf(name) === list).map((name) => `tests/${name}${ENDING}`);
  return {
    shared: pathsIn('shared'),
    services: pathsIn('services'),
    timed: pathsIn('timed'),
    alone: pathsIn('alone'),
  };
}
