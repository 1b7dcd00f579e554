/**
 * How long each test file took in a run that was kept (`npm run test:durations`), seconds: the longest start first, and
 * `npm run test:quick` leaves the longer ones out.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DURATIONS_FILE = join(import.meta.dirname, '../tests/costs/durations.json');

/** By the path from the root of the project; a file that is not in it took less than a second, or is new. */
export const readDurations = (): Readonly<Record<string, number>> => JSON.parse(readFileSync(DURATIONS_FILE, 'utf8'));
