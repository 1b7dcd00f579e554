/**
 * `npm run fuzz [-- <examples> [<seed>]]`: the long run of the fuzzer, both faces on both databases, with all phases and then about one
 * robot with a session. Prints how many cases each run had.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [examples = '100', seed = String(Math.floor(Date.now() / 1000))] = process.argv.slice(2);
const env = { ...process.env, SIMPLESIM_FUZZ_EXAMPLES: examples, SIMPLESIM_FUZZ_SEED: seed };
const folder = join(import.meta.dirname, '../..');
const { status } = spawnSync('npx', ['vitest', 'run', 'tests/fuzz'], { cwd: folder, env, stdio: 'inherit' });
process.exit(status ?? 1);
