import {
  Client,
  type ConnectCallbacks,
  connect,
  generateWatchUrl,
  joinRoom,
  type PlatformSession,
  type RoomOptions,
} from '../../client/index.ts';
import { findRoomKey } from '../../protocol/room/find-room-key.ts';
import { readCallerKey } from '../../protocol/room/room-key.ts';
import { RCW_PRODUCT_NAME } from '../../protocol/wire/identity.ts';
import { PRODUCT_NAME } from '../../protocol/wire/limits.ts';
import { openLocalAccount } from '../local-links.ts';
import { printError } from '../output.ts';
import { UsageError } from '../read-options.ts';
import { readDataDir } from '../service-settings.ts';
import type { JoinRoom } from './room-connection.ts';
import { profileOf } from './room-robot.ts';

/** The robot that an agent drives in a room. */
export interface RoomPlace {
  join: JoinRoom;
  /** Makes a link to watch the robot of a session; null without an API key. */
  watchLink: (() => Promise<string>) | null;
}

/** Standard output belongs to the protocol. */
const LOGGER = { debug: () => undefined, warn: printError };
const OF_NPM_START = 'Without a link, --room drives the robot of "npm start".';
const PREFIXES = { simulator: PRODUCT_NAME, worker: RCW_PRODUCT_NAME };

/**
 * Returns the place of a link or room key, else of `SIMPLESIM_ROOM_KEY`, else of the platform that `npm start` runs.
 * @param named settles with the agent's name, for the participants of the room
 * @throws UsageError for a key that cannot be used; it repeats no part of the key
 */
export function readRoomPlace(link: string | null, env: NodeJS.ProcessEnv, named: Promise<string>): RoomPlace {
  const given = link ?? env.SIMPLESIM_ROOM_KEY ?? '';
  if (given.trim() === '') return localPlace(env, named);
  const read = readCallerKey(findRoomKey(given), { nowMs: Date.now(), pageProtocol: 'http:' });
  if (!read.ok) throw new UsageError(read.problem === 'of_the_robot' ? `${read.message} ${OF_NPM_START}` : read.message);
  const join: JoinRoom = (callbacks, signal) =>
    ofItsContract(callbacks, (own) => joinRoom(given, { ...own, signal, logger: LOGGER }));
  return { join, watchLink: null };
}

/** The platform may start later, or again with other addresses, so its file is read before each join. */
function localPlace(env: NodeJS.ProcessEnv, named: Promise<string>): RoomPlace {
  const open = () => {
    const { local } = openLocalAccount(readDataDir(env));
    const { rcs_url: rcsUrl, api_key: apiKey, viewer_url: viewerUrl, robot_id: robotId } = local;
    return { client: new Client({ rcsUrl, apiKey, viewerUrl, logger: LOGGER }), robotId };
  };
  return {
    async join(callbacks, signal) {
      const { client, robotId } = open();
      const name = await named;
      const options = { workerNames: [], keepSession: true, name, signal };
      return ofItsContract(callbacks, (own) => connect(client, robotId, { ...options, ...own }));
    },
    async watchLink() {
      const { client, robotId } = open();
      return generateWatchUrl(client, robotId);
    },
  };
}

/** Joins the room as a client of the contract that its robot keeps. */
async function ofItsContract(
  callbacks: ConnectCallbacks,
  join: (own: Pick<RoomOptions, 'callbacks' | 'rcwIdentityPrefix'>) => Promise<PlatformSession>,
): Promise<PlatformSession> {
  let isChanging = false;
  const onDisconnected = (reason: string): void => {
    if (!isChanging) callbacks.onDisconnected?.(reason);
  };
  const session = await join({ rcwIdentityPrefix: PREFIXES.simulator, callbacks: { ...callbacks, onDisconnected } });
  if (profileOf(session) === 'simulator') return session;
  isChanging = true;
  await session.disconnect({ keepSession: true });
  return join({ rcwIdentityPrefix: PREFIXES.worker, callbacks });
}
