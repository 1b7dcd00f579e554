/** Links to robots of the platform that runs on this machine. */
import { Client, generateRoomKeyUrl } from '../client/index.ts';
import { shownLine } from '../common/shown-text.ts';
import { LAN_COMMAND } from '../protocol/service/lan.ts';
import { runtimeIdentity } from '../protocol/wire/identity.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import { phoneLink } from './lan/phone-link.ts';
import { type LocalFile, readLocalFile } from './local-file.ts';

/** The platform of this machine, and a client of its account. */
export interface LocalAccount {
  local: LocalFile;
  client: Client;
}

/**
 * @param lan whether links for other machines in the network are wanted
 * @throws Error if no platform has run here yet, or it does not serve the network although it should
 */
export function openLocalAccount(dataDir: string, lan = false): LocalAccount {
  const local = readLocalFile(dataDir);
  if (!isWhole(local))
    throw new Error(
      `No platform has run with the data folder ${shownLine(dataDir)} yet. Start one: ${lan ? LAN_COMMAND : 'npm start'}. If one runs with another folder, set SIMPLESIM_DATA_DIR to it.`,
    );
  if (lan && !local.lan_url) throw new Error(`The platform serves this machine alone. Start it for the network: ${LAN_COMMAND}`);
  return { local, client: new Client({ rcsUrl: local.rcs_url, apiKey: local.api_key, maxRetries: 0 }) };
}

export interface RobotLinkOptions {
  /** @default 'simulator' */
  profile?: RuntimeProfile;
  /** Whether the link is for another machine in the network, if the platform serves it. @default false */
  lan?: boolean;
  /** Whether a page that opens it takes the robot over without asking. @default false */
  takeOver?: boolean;
}

/**
 * Returns a link that makes a tab the robot. Opens a session if the robot has none, because a link needs a room.
 * @throws as `Client`
 */
export async function robotLink(
  { local, client }: LocalAccount,
  robotId: string,
  { profile = 'simulator', lan = false, takeOver = false }: RobotLinkOptions = {},
): Promise<string> {
  const { lan_url: lanUrl, viewer_url: viewerBaseUrl } = local;
  await client.robots.createSession(robotId, { workerNames: [] });
  if (!lan || !lanUrl) return generateRoomKeyUrl(client, robotId, { viewerBaseUrl, profile, takeOver });
  const place = await client.robots.createParticipantToken(robotId, { participantIdentity: runtimeIdentity(profile, robotId) });
  return phoneLink(lanUrl, place.participant_token, profile, takeOver);
}

function isWhole(file: Partial<LocalFile>): file is LocalFile {
  return Boolean(file.rcs_url && file.api_key && file.robot_id && file.viewer_url);
}
