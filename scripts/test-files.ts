/**
 * Which test files share processes: those that start nothing and leave nothing behind. To load its modules anew costs such a file more than
 * its tests do. `tests/nothing-left.ts` fails one that leaves something; all other files have a process of their own.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SHARING_ROOMS = new Set([
  'cameras',
  'client',
  'docs',
  'oracle',
  'promises',
  'protocol',
  'room',
  'runtime',
  'simulation',
  'stage',
  'test-run',
  'ui',
  'viewer',
]);

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
  'room/real-sfu',
  'ui/console/code',
  // Time or memory is judged, which depend on what ran before.
  'client/memory',
  'client/sdk-room',
  'promises/deliveries',
  'promises/gates',
  'protocol/find-room-key',
  'protocol/json',
  'runtime/host/flood',
  // Another module is put in the place of one that may be loaded already.
  'runtime/host/stop-looks',
]);

/** Before every test file, in a process of its own or not. */
export const SETUP = 'tests/client-models/setup.ts';

/** How vitest runs files that share. What the first of the two prepares is there when the second looks. */
export const SHARED_PROCESS = {
  isolate: false,
  setupFiles: ['tests/page-engine.ts', SETUP, 'tests/nothing-left.ts'],
  sequence: { setupFiles: 'list' as const },
};

const TESTS_DIR = join(import.meta.dirname, '../tests');
const ENDING = '.test.ts';

/** Every test file, in one of two lists. @throws Error when a file that is to be alone does not exist */
export function testFiles(): { shared: string[]; alone: string[] } {
  const names = readdirSync(TESTS_DIR, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ENDING) && !path.startsWith('e2e/'))
    .map((path) => path.slice(0, -ENDING.length))
    .sort();
  const gone = [...ALONE].filter((name) => !names.includes(name));
  if (gone.length > 0) throw new Error(`scripts/test-files.ts names what is not there: ${gone.join(', ')}`);
  const isShared = (name: string): boolean => SHARING_ROOMS.has(name.split('/')[0] ?? '') && !ALONE.has(name);
  const pathOf = (name: string): string => join('tests', `${name}${ENDING}`).replaceAll('\\', '/');
  return { shared: names.filter(isShared).map(pathOf), alone: names.filter((name) => !isShared(name)).map(pathOf) };
}
