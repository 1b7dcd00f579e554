/** `npm run link`: prints a new link to a robot of the local platform. The link of its own robot also goes into `local.json`. */

import { TAKE_OVER_FRAGMENT } from '../protocol/room/room-key.ts';
import { isRuntimeProfile, RUNTIME_PROFILES, type RuntimeProfile } from '../protocol/wire/profile.ts';
import { writeLocalFile } from './local-file.ts';
import { openLocalAccount, robotLink } from './local-links.ts';
import { print, printTrouble } from './output.ts';
import { readOptions, UsageError } from './read-options.ts';
import { readDataDir } from './service-settings.ts';

const USAGE = `npm run link [-- [--robot ID] [--profile ${RUNTIME_PROFILES.join('|')}] [--lan] [--take-over]]

  A fresh link that makes a tab the robot of the platform that "npm start" runs, good for four hours; with --robot, another robot of its
  account. With --lan, a link for a phone or another machine in the network, where "npm start -- --lan" runs.
  With --take-over, a page that opens the link takes the robot over from the page or program that is the robot, without asking.`;

try {
  const args = readArgs(process.argv.slice(2));
  if (args === null) print(USAGE);
  else await printLink(args);
} catch (error) {
  printTrouble(error, 'There is no link. ');
  process.exit(error instanceof UsageError ? 2 : 1);
}

interface LinkArgs {
  /** Null: the platform's own robot. */
  robotId: string | null;
  profile: RuntimeProfile;
  lan: boolean;
  takeOver: boolean;
}

async function printLink({ robotId, profile, lan, takeOver }: LinkArgs): Promise<void> {
  const dataDir = readDataDir(process.env);
  const account = openLocalAccount(dataDir, lan);
  const { local } = account;
  const isOwn = robotId === null || robotId === local.robot_id;
  const url = await robotLink(account, robotId ?? local.robot_id, { profile, lan, takeOver });
  // Every reader uses the file's link, so only the printed link has the request to take over.
  if (isOwn && !lan) writeLocalFile(dataDir, { ...local, room_key_url: url.replace(TAKE_OVER_FRAGMENT, '') });
  print(url);
}

/** @returns null if help is requested @throws UsageError */
function readArgs(args: string[]): LinkArgs | null {
  const options = {
    robot: { type: 'string' },
    profile: { type: 'string' },
    lan: { type: 'boolean' },
    'take-over': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = readOptions(args, options, { command: 'npm run link --' });
  if (values.help) return null;
  const { robot: robotId = null, profile = 'simulator', lan = false, 'take-over': takeOver = false } = values;
  if (isRuntimeProfile(profile)) return { robotId, profile, lan, takeOver };
  throw new UsageError(`There is no profile "${profile}"; it is one of ${RUNTIME_PROFILES.join(', ')}.`);
}
