/**
 * `npm run golden`: writes the state hashes of the golden logs. If they differ from the written ones, the simulation behaves
 * differently, so SIM_PROTOCOL is raised with them. `-- --keep` leaves the number unchanged, for a behaviour that has not been
 * released yet.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import RAPIER from '@dimforge/rapier3d-compat';
import { SIM_PROTOCOL } from '../../src/simulation/sim-protocol.ts';
import { GOLDEN_FILE, goldenOf, readGolden } from './replay-golden-file.ts';

const PROTOCOL_FILE = join(import.meta.dirname, '../../src/simulation/sim-protocol.ts');

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
await RAPIER.init();
const written = readGolden();
const now = goldenOf(RAPIER, SIM_PROTOCOL);
const isSame = written !== null && JSON.stringify(written.logs) === JSON.stringify(now.logs);
const mustRaise = !isSame && !values.keep && written?.sim_protocol === SIM_PROTOCOL;
if (mustRaise) {
  now.sim_protocol = SIM_PROTOCOL + 1;
  const source = readFileSync(PROTOCOL_FILE, 'utf8');
  writeFileSync(PROTOCOL_FILE, source.replace(`SIM_PROTOCOL = ${SIM_PROTOCOL};`, `SIM_PROTOCOL = ${now.sim_protocol};`));
}
writeFileSync(GOLDEN_FILE, `${JSON.stringify(now, null, 2)}\n`);
const what = isSame ? 'The hashes are as they were' : 'New hashes are written';
console.log(`${what}; SIM_PROTOCOL is ${now.sim_protocol}${mustRaise ? ', raised by one' : ''}.`);
