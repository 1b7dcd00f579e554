/**
 * `npm run link`: a fresh link to the robot of the local platform, which also goes into `local.json`. `npm run link -- --profile worker`: one
 * that opens it behind the physical robot's contract. `npm run link -- --lan`: one for a phone, where "npm start -- --lan" runs.
 * `npm run link -- --take-over`: one whose page takes the robot over without asking.
 */
import { parseArgs } from 'node:util';
import { Client, generateRoomKeyUrl } from '../client/index.ts';
import { runtimeIdentity } from '../protocol/identity.ts';
import { isRuntimeProfile, RUNTIME_PROFILES, type RuntimeProfile } from '../protocol/profile.ts';
import { TAKE_OVER_FRAGMENT } from '../protocol/room-key.ts';
import { phoneLink } from './lan/phone-link.ts';
import { type LocalFile, readLocalFile, writeLocalFile } from './local-file.ts';
import { print, printTrouble } from './output.ts';
import { UsageError } from './service-args.ts';
import { readDataDir } from './service-settings.ts';

const USAGE = `npm run link [-- [--profile ${RUNTIME_PROFILES.join('|')}] [--lan] [--take-over]]

  A fresh link to the robot of the platform that "npm start" runs, good for four hours; with --lan, one for a phone in the network.
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
  profile: RuntimeProfile;
  lan: boolean;
  takeOver: boolean;
}

async function printLink({ profile, lan, takeOver }: LinkArgs): Promise<void> {
  const dataDir = readDataDir(process.env);
  const local = readLocalFile(dataDir);
  if (!isWhole(local)) throw new Error('No platform has run here yet. Start one: npm start');
  const { robot_id: robotId, lan_url: lanUrl } = local;
  if (lan && !lanUrl) throw new Error('The platform serves this machine alone. Start it for phones: npm start -- --lan');
  const client = new Client({ rcsUrl: local.rcs_url, apiKey: local.api_key, maxRetries: 0 });
  // A deleted session is opened again: without a session there is no room to link to.
  await client.robots.createSession(robotId, { workerNames: [] });
  if (lan && lanUrl) {
    const place = await client.robots.createParticipantToken(robotId, { participantIdentity: runtimeIdentity(profile, robotId) });
    print(phoneLink(lanUrl, place.participant_token, profile, takeOver));
    return;
  }
  const url = await generateRoomKeyUrl(client, robotId, { viewerBaseUrl: local.viewer_url, profile });
  // The file's link is for everyone: the request to take over is for this printed link alone.
  writeLocalFile(dataDir, { ...local, room_key_url: url });
  print(takeOver ? `${url}${TAKE_OVER_FRAGMENT}` : url);
}

function isWhole(file: Partial<LocalFile>): file is LocalFile {
  return Boolean(file.rcs_url && file.api_key && file.robot_id && file.viewer_url);
}

/** @returns null when help is asked for @throws UsageError */
function readArgs(args: string[]): LinkArgs | null {
  const options = {
    profile: { type: 'string' },
    lan: { type: 'boolean' },
    'take-over': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    ({ values } = parseArgs({ args, options, allowPositionals: false }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
  if (values.help) return null;
  const { profile = 'simulator', lan = false, 'take-over': takeOver = false } = values;
  if (isRuntimeProfile(profile)) return { profile, lan, takeOver };
  throw new UsageError(`There is no profile "${profile}"; it is one of ${RUNTIME_PROFILES.join(', ')}.`);
}
