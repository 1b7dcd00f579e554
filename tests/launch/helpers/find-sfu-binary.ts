/** Finds an SFU in a process of its own for tests that kill it or start several: takes its settings as JSON, and prints the path. */
import { findSfuBinary } from '../../../src/launch/sfu-binary.ts';

const { env, sources } = JSON.parse(process.argv[2] ?? '');
process.stdout.write(`${await findSfuBinary(env, () => {}, sources)}\n`);
