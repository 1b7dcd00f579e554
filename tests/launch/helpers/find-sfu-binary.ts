/** Finds an SFU in a separate process, which tests kill or start several times: reads settings as JSON, prints the path. */
import { findSfuBinary } from '../../../src/launch/sfu-binary.ts';

const { env, sources } = JSON.parse(process.argv[2] ?? '');
process.stdout.write(`${await findSfuBinary(env, () => {}, sources)}\n`);
