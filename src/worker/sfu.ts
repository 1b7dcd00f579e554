import { AccessToken, AgentDispatchClient, RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { AGENT_NAME_ATTRIBUTE, rcwIdentity } from '../protocol/wire/identity.ts';
import { readRoomFacts } from './room-facts.ts';

/** The address of the SFU and its keys. The key's secret is confidential. */
export interface SfuAccess {
  /** `ws://…` or `wss://…` */
  url: string;
  apiKey: string;
  apiSecret: string;
}

/** A room whose session has requested an agent of a name. */
export interface OrderedRoom {
  room: string;
  robotId: string;
  createdAtMs: number;
}

/** The worker's calls to the SFU in addition to its registration. Every call may throw; do not show its errors to users. */
export interface SfuClient {
  /** For the registration as an agent. */
  agentToken(): Promise<string>;
  /** A place in a room for the worker of a robot, with the same rights that the SFU gives for jobs. */
  placeToken(room: string, robotId: string, agentName: string): Promise<string>;
  /** Returns whether this robot's worker is in the room. */
  hasWorker(room: string, robotId: string): Promise<boolean>;
  /** Returns the rooms whose metadata requests this agent. */
  orderedRooms(agentName: string): Promise<OrderedRoom[]>;
  /** Returns whether an agent of this name took the job of this room so recently that it may still be joining. */
  isOnItsWay(room: string, agentName: string): Promise<boolean>;
  /** Returns whether an existing room does not request an agent of this name. False for a missing room. */
  isUnasked(room: string, agentName: string): Promise<boolean>;
  /** Returns whether the SFU rejects these keys. False if it does not answer. */
  refusesKeys(): Promise<boolean>;
}

const REQUEST_MAX_S = 4;
const AGENT_TOKEN_TTL_S = 600;
/** The lifetime of the tokens that the SFU issues for jobs. */
const PLACE_TOKEN_TTL_S = 3_600;
const ON_ITS_WAY_MS = 30_000;
/** The permissions of agents in LiveKit's own tokens. */
export const WORKER_PERMISSION = { canPublish: true, canPublishData: true, canSubscribe: true } as const;

/** Converts the WebSocket address of an SFU to its HTTP address. */
export const httpUrlOf = (url: string): string => url.replace(/^ws/, 'http');

/** Creates the worker's access to the SFU: its rooms and dispatches. */
export function createSfuClient({ url, apiKey, apiSecret }: SfuAccess): SfuClient {
  const httpUrl = httpUrlOf(url);
  const options = { requestTimeout: REQUEST_MAX_S, failover: false };
  const rooms = new RoomServiceClient(httpUrl, apiKey, apiSecret, options);
  const dispatches = new AgentDispatchClient(httpUrl, apiKey, apiSecret, options);

  const agentToken = (): Promise<string> => {
    const token = new AccessToken(apiKey, apiSecret, { ttl: AGENT_TOKEN_TTL_S });
    token.addGrant({ agent: true });
    return token.toJwt();
  };

  return {
    agentToken,
    placeToken(room, robotId, agentName) {
      const token = new AccessToken(apiKey, apiSecret, {
        identity: rcwIdentity(robotId),
        name: WORKER_NAME,
        ttl: PLACE_TOKEN_TTL_S,
        attributes: agentAttributes(agentName),
      });
      token.kind = 'agent';
      token.addGrant({ roomJoin: true, agent: true, room, ...WORKER_PERMISSION, canUpdateOwnMetadata: false });
      return token.toJwt();
    },
    async hasWorker(room, robotId) {
      const identity = rcwIdentity(robotId);
      const present = await unlessMissing(() => rooms.listParticipants(room), []);
      return present.some((participant) => participant.identity === identity);
    },
    async orderedRooms(agentName) {
      return (await rooms.listRooms()).flatMap(({ name, metadata, creationTime }) => {
        const { robotId, agentNames } = readRoomFacts(metadata);
        if (robotId === null || !agentNames.includes(agentName)) return [];
        return [{ room: name, robotId, createdAtMs: Number(creationTime) * 1000 }];
      });
    },
    async isOnItsWay(room, agentName) {
      const orders = await unlessMissing(() => dispatches.listDispatch(room), []);
      const jobs = orders.filter((order) => order.agentName === agentName).flatMap(({ state }) => state?.jobs ?? []);
      // Nanoseconds, by the clock of the SFU.
      return jobs.some(({ state }) => Date.now() - Number((state?.startedAt ?? 0n) / 1_000_000n) < ON_ITS_WAY_MS);
    },
    async isUnasked(room, agentName) {
      const orders = await unlessMissing(() => dispatches.listDispatch(room), null);
      return orders?.every((order) => order.agentName !== agentName) ?? false;
    },
    async refusesKeys() {
      try {
        const headers = { Authorization: `Bearer ${await agentToken()}` };
        const response = await fetch(`${httpUrl}/agent`, { headers, signal: AbortSignal.timeout(REQUEST_MAX_S * 1000) });
        await response.body?.cancel();
        return response.status === 401 || response.status === 403;
      } catch {
        return false;
      }
    },
  };
}

/**
 * Returns the attributes that show participants the agent name of its dispatch. The SFU itself sets the first one on agents that
 * take its jobs.
 */
export const agentAttributes = (agentName: string): Record<string, string> => ({
  'lk.agent_name': agentName,
  [AGENT_NAME_ATTRIBUTE]: agentName,
});

/** Its name for participants. */
export const WORKER_NAME = 'Robot Control Worker';

async function unlessMissing<T>(call: () => Promise<T>, whenMissing: T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof TwirpError && error.code === 'not_found') return whenMissing;
    throw error;
  }
}
