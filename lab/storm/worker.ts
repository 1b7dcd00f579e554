/**
 * A process of `npm run lab -- storm`: gets seeds of one suite, answers with their outcomes, and exits when its parent
 * disconnects.
 */
import { runSeed, type SuiteSize } from '../../tests/promises/suite.ts';
import { SUITES } from '../../tests/promises/suites.ts';
import { oneTaskSuites } from '../../tests/promises/tasks.ts';

const suite = [...SUITES, ...oneTaskSuites].find(({ name }) => name === process.argv[2]);
const size: SuiteSize = process.argv[3] === 'smoke' ? 'smoke' : 'full';
if (!suite) throw new Error(`no suite ${process.argv[2]}`);

process.on('message', async (seed: number) => {
  process.send?.(await runSeed(suite, seed, size));
});
process.on('disconnect', () => process.exit(0));
