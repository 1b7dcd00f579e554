/** Prints the golden logs' digests as JSON: the result of another process for the same logs. */
import RAPIER from '@dimforge/rapier3d-compat';
import { goldenOf } from './replay-golden-file.ts';

await RAPIER.init();
process.stdout.write(JSON.stringify(goldenOf(RAPIER, 0).logs));
