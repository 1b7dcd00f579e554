/** The imports that files outside `src/` may have: tests, scripts, the lab and examples. */

/** The folders outside `src/` that each of them may import besides itself. */
const HARNESS: Readonly<Record<string, readonly string[]>> = {
  scripts: [],
  examples: [],
  tests: ['scripts', 'examples', 'scenes', 'vite.config.ts'],
  'tests/lab': ['lab', 'tests', 'scripts'],
  lab: ['tests', 'scripts'],
};

/** The oracle judges skills, planner and runtime by the bodies of the physics, so it shares no code with them. */
const ORACLE_READS = /^(?:protocol\/|common\/|runtime\/core\.ts$|simulation\/(?:sim-world|fixtures|things|humanoid\/robot)\.ts$)/;

/**
 * Returns what is wrong with an import of a file outside `src/`, or null.
 * @param from the importing file, from `src/` on: "../tests/worker/worker.alone.test.ts"
 * @param target the imported file, from `src/` on
 */
export function harnessProblem(from: string, target: string): string | null {
  const isTest = /\.(?:test|spec)\.tsx?$/;
  if (isTest.test(target)) return `imports ${target}, which is a test; move what both need to a file of its own`;
  const isOracle = from.startsWith('../tests/oracle/') && !isTest.test(from);
  if (!target.startsWith('../')) {
    return isOracle && !ORACLE_READS.test(target) ? `imports ${target}; the oracle shares no code with what it judges` : null;
  }
  const [importer, imported] = [placeOf(from), placeOf(target)];
  if (importer === imported || (HARNESS[importer] ?? []).includes(imported)) return null;
  // The lab's tests are the only ones that may import the lab.
  if (imported === 'tests/lab') return `imports ${target}; only the lab's tests import each other`;
  return `imports ${target}; '${importer}' may import ${HARNESS[importer]?.join(', ') || 'no other folder'}`;
}

/** Returns the folder of HARNESS that contains a file, or the first part of its path. */
function placeOf(path: string): string {
  const parts = path.split('/').slice(1);
  const inner = parts.slice(0, 2).join('/');
  return inner in HARNESS ? inner : (parts[0] ?? '');
}
