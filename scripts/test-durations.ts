/**
 * How long each test file took in a stored run (`npm run test:durations`), in seconds. The longest files start first, and
 * `npm run test:quick` omits the longer ones.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DURATIONS_FILE = join(import.meta.dirname, '../tests/costs/durations.json');

/** By the path from the root of the project. A missing file took less than a second, or is new. */
export const readDurations = (): Readonly<Record<string, number>> => JSON.parse(readFileSync(DURATIONS_FILE, 'utf8'));
