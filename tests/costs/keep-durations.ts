/** `npm run test:durations`: records, after `npm test`, how long each file of unit and service tests took. */
import { writeFileSync } from 'node:fs';
import { DURATIONS_FILE } from '../../scripts/test-durations.ts';
import { readCosts } from './costs.ts';

/** Shorter durations affect neither order nor choice. */
const KEPT_FROM_S = 1;

// A failed file ran twice: the order is ascending, so that its longer time is kept.
const longest = new Map(
  readCosts()
    .filter(({ name, wallS }) => name.startsWith('tests/') && wallS >= KEPT_FROM_S)
    .map(({ name, wallS }): [string, number] => [name, Math.round(wallS)])
    .sort(([, one], [, other]) => one - other),
);
const kept = [...longest].sort(([, one], [, other]) => other - one);
if (kept.length === 0) {
  process.stderr.write('No durations found. Run npm test first.\n');
  process.exit(1);
}
writeFileSync(DURATIONS_FILE, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
process.stdout.write(`Kept the durations of ${kept.length} files.\n`);
