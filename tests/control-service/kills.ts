/** `npm run kills [count] [seed]`: kills a control service so many times while it writes, and says what was lost. */
import { runKillStorm } from './helpers/kill-storm.ts';

const [kills = '100', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const storm = await runKillStorm({ kills: Number(kills), seed: Number(seed), log: say });
for (const wrong of storm.wrong) say(wrong);
say(
  `${storm.kills} kills (${storm.whileOpening} while the database was being opened), ${storm.acknowledged} acknowledged writes, ${storm.wrong.length} wrong; seed ${seed}`,
);
process.exit(storm.wrong.length === 0 ? 0 : 1);
