/** `npm run kills [count] [seed]`: kills a control service so many times while it opens its database and writes, and says what was lost. */
import { runKillStorm } from './helpers/kill-storm.ts';

const [kills = '100', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const storm = await runKillStorm({ kills: Number(kills), seed: Number(seed), log: say });
for (const wrong of storm.wrong) say(wrong);
say(
  [
    `${storm.kills} kills: ${storm.atSteps} at a change to a file while the database was opened (${storm.inFirstStarts} in first starts),`,
    `${storm.atMoments} at some moment of opening, the others while it wrote; ${storm.fullDisks} openings on a full disk;`,
    `${storm.acknowledged} acknowledged writes, ${storm.wrong.length} wrong; seed ${seed}`,
  ].join(' '),
);
process.exit(storm.wrong.length === 0 ? 0 : 1);
