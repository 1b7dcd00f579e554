/**
 * `npm run link`: a fresh link to the robot of the local platform, which also goes into `local.json`. `npm run link -- --profile worker`: one
 * that opens it behind the physical robot's contract.
 */
import { parseArgs } from 'node:util';
import { Client, generateRoomKeyUrl } from '../client/index.ts';
import { thrownText } from '../control-service/thrown.ts';
import { isRuntimeProfile, RUNTIME_PROFILES, type RuntimeProfile } from '../protocol/profile.ts';
import { type LocalFile, readLocalFile, writeLocalFile } from './local-file.ts';
import { readDataDir } from './service-settings.ts';

const dataDir = readDataDir(process.env);
const local = readLocalFile(dataDir);

try {
  if (!isWhole(local)) throw new Error('No platform has run here yet. Start one: npm start');
  const client = new Client({ rcsUrl: local.rcs_url, apiKey: local.api_key, maxRetries: 0 });
  // A session that was deleted is opened again: without one there is no room to link to.
  await client.robots.createSession(local.robot_id, { workerNames: [] });
  const url = await generateRoomKeyUrl(client, local.robot_id, { viewerBaseUrl: local.viewer_url, profile: readProfile() });
  writeLocalFile(dataDir, { ...local, room_key_url: url });
  console.log(url);
} catch (error) {
  const said = thrownText(error);
  console.error(`There is no link. ${said}`);
  process.exit(1);
}

function isWhole(file: Partial<LocalFile>): file is LocalFile {
  return Boolean(file.rcs_url && file.api_key && file.robot_id && file.viewer_url);
}

/** @throws a sentence for what it does not know */
function readProfile(): RuntimeProfile {
  const { profile = 'simulator' } = parseArgs({ options: { profile: { type: 'string' } } }).values;
  if (isRuntimeProfile(profile)) return profile;
  throw new Error(`There is no profile "${profile}"; it is one of ${RUNTIME_PROFILES.join(', ')}.`);
}
