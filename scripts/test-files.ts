/**
 * Which test files share processes: those that start nothing and leave nothing behind, and those of the service that start one within their
 * process. To load its modules anew costs such a file more than its tests do. `tests/nothing-left.ts` fails one that leaves something; all
 * other files have a process of their own.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SHARING_ROOMS = new Set([
  'cameras',
  'client',
  'contract',
  'docs',
  'oracle',
  'promises',
  'protocol',
  'room',
  'runtime',
  'simulation',
  'stage',
  'tasks',
  'test-run',
  'ui',
  'viewer',
]);

/** Files of this room share processes too, and the database server of the test run. */
const SERVICE_ROOM = 'control-service';

/** Files of these rooms that share nothing all the same. */
const ALONE = new Set([
  // A process, a server or a room of its own.
  'client/hostile-service',
  'client/package',
  'client/python-service',
  'client/room',
  'client/service',
  'client/tutorial',
  'promises/replay',
  'ui/console/code',
  'control-service/data-folder',
  'control-service/data-folder-links',
  'control-service/kill',
  'control-service/power-cut',
  'control-service/process-lock',
  'control-service/real-sfu',
  // Another module is put in the place of one that may be loaded already.
  'runtime/host/stop-looks',
  'control-service/commands',
  'control-service/control-grants',
  'control-service/emergency-stop',
  'control-service/owner-orders',
]);

/** Files that judge time or memory, which depend on what ran before in their process and on what runs beside it. */
const TIMED = new Set([
  'bench/bad-line',
  'client/memory',
  'client/sdk-room',
  'launch/dev',
  'promises/deliveries',
  'promises/gates',
  'protocol/find-room-key',
  'protocol/json',
  'room/real-losses',
  'room/real-sfu',
  'runtime/host/flood',
  'worker/silence',
  'worker/watchers',
]);

/** The files that take longest, by how long they take. */
export const LONGEST = [
  'worker/worker',
  'bench/bench',
  'headless/room',
  'control-service/real-sfu',
  'worker/emergency-stop-live',
  'worker/python-library',
  'proof/small',
  'fuzz/control-service',
  'worker/owner-orders-live',
  'headless/eval/eval',
  'headless/eval/leaving',
  'launch/platform',
  'worker/lease-live',
  'launch/service',
  'worker/watchers',
  'promises/replay',
  'headless/commands',
  'launch/compiled',
] as const;

/** Before every test file, in a process of its own or not. */
export const SETUP = ['tests/costs/file-cost.ts', 'tests/client-models/setup.ts'];

/** How vitest runs files that share. */
export const SHARED_PROCESS = {
  isolate: false,
  setupFiles: [...SETUP, 'tests/nothing-left.ts'],
  sequence: { groupOrder: 1, setupFiles: 'list' as const },
};

const TESTS_DIR = join(import.meta.dirname, '../tests');
const ENDING = '.test.ts';

/** Every test file, in one of four lists. @throws Error when a file that is named here does not exist */
export function testFiles(): { shared: string[]; services: string[]; timed: string[]; alone: string[] } {
  const names = readdirSync(TESTS_DIR, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ENDING) && !path.startsWith('e2e/'))
    .map((path) => path.slice(0, -ENDING.length))
    .sort();
  const gone = [...ALONE, ...TIMED, ...LONGEST].filter((name) => !names.includes(name));
  if (gone.length > 0) throw new Error(`scripts/test-files.ts names what is not there: ${gone.join(', ')}`);
  const listOf = (name: string): 'shared' | 'services' | 'timed' | 'alone' => {
    const room = name.split('/')[0] ?? '';
    if (TIMED.has(name)) return 'timed';
    if (ALONE.has(name)) return 'alone';
    if (room === SERVICE_ROOM) return 'services';
    return SHARING_ROOMS.has(room) ? 'shared' : 'alone';
  };
  const pathsIn = (list: ReturnType<typeof listOf>): string[] =>
    names.filter((name) => listOf(name) === list).map((name) => join('tests', `${name}${ENDING}`).replaceAll('\\', '/'));
  return {
    shared: pathsIn('shared'),
    services: pathsIn('services'),
    timed: pathsIn('timed'),
    alone: pathsIn('alone'),
  };
}
