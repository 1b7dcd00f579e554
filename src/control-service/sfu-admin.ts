import { DataPacket_Kind, ParticipantInfo_Kind, ParticipantInfo_State } from '@livekit/protocol';
import { AgentDispatchClient, RoomAgentDispatch, RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { WATCH_TOPIC } from '../protocol/world-stream/audience.ts';
import { type ControlAuthority, createControlAuthority } from './control-authority.ts';
import { type SfuAccess, SfuError } from './sfu-error.ts';
import { performRpc, type RpcCall } from './sfu-rpc.ts';
import { type ParticipantGrant, signParticipantToken } from './tokens.ts';

export { type SfuAccess, SfuError, type SfuErrorReason } from './sfu-error.ts';
export type { RpcCall } from './sfu-rpc.ts';

/** An agent to dispatch into a room. */
export interface Agent {
  name: string;
  /** The metadata of its job. */
  metadata: string;
}

/** An agent's dispatch into a room. It stays with the room after the agent has done its job. */
export interface Dispatch {
  id: string;
  agentName: string;
}

/** A participant in a room. */
export interface Presence {
  identity: string;
  /** A new id each time the participant joins. */
  joinId: string;
  /** Display name; empty if not set. */
  name: string;
  /** Whether it is an agent of the SFU, rather than a page or program. */
  isAgent: boolean;
  /** Whether the SFU accepts calls from it. Participants that only watch cannot make calls. */
  mayCall: boolean;
  joinedAtMs: number;
  /** LiveKit attributes, signed with the participant's token. */
  attributes: Readonly<Record<string, string>>;
}

/** The participant under one identity. */
export interface Holder {
  /** A new id each time the participant joins. */
  joinId: string;
  joinedAtMs: number;
  /** Whether its connection is established. */
  isConnected: boolean;
  /** Whether it is an agent of the SFU, rather than a page. */
  isAgent: boolean;
  attributes: Readonly<Record<string, string>>;
}

/**
 * The control service's calls to an SFU. Every call except `signToken` may throw an {@link SfuError}. Each request to the SFU
 * within a call times out after 5 s, that of `performRpc` after the call's own time and some seconds.
 */
export interface SfuAdmin {
  /** Address for participants, `ws://…` or `wss://…`. */
  readonly participantUrl: string;
  /**
   * Ensures that the room exists, has this metadata, and that these agents are dispatched to it. An existing room is kept, with
   * its participants.
   * @returns the dispatches, one for each agent, in their order
   */
  ensureRoom(room: string, metadata: string, agents: Agent[]): Promise<Dispatch[]>;
  /**
   * Changes the metadata of an existing room.
   * @param change Returns the new metadata; null to leave it
   * @returns whether the room exists and `change` returned metadata
   */
  changeMetadata(room: string, change: (metadata: string) => string | null): Promise<boolean>;
  /** Returns the names of all rooms, newest first. */
  listRooms(): Promise<string[]>;
  /** Closes the room and disconnects all participants. A room that does not exist counts as closed. */
  deleteRoom(room: string): Promise<void>;
  /** Returns the participants of the room; an empty list if the room does not exist. */
  listParticipants(room: string): Promise<Presence[]>;
  /** Removes a participant from the room; succeeds if it is not there. The SFU admits it again while its token is valid. */
  removeParticipant(room: string, identity: string): Promise<void>;
  /** Returns the participant of the room with this identity, connected or about to be; null if there is none. */
  holderOf(room: string, identity: string): Promise<Holder | null>;
  /** Sets attributes of a participant and keeps its other attributes. */
  setAttributes(room: string, identity: string, attributes: Record<string, string>): Promise<void>;
  /** Returns whether any participant other than a dispatched agent is in the room; false if the room does not exist. */
  hasPeople(room: string): Promise<boolean>;
  /**
   * Calls a participant's RPC method and returns its reply. LiveKit resends a call that has had no reply for 3 s, up to three
   * times in all, whatever time-out it has.
   */
  performRpc(call: RpcCall): Promise<string>;
  /** Informs all participants of the room that a watcher is about to join. */
  announceWatcher(room: string): Promise<void>;
  signToken(grant: ParticipantGrant): Promise<string>;
  /** Signs with a key derived from the SFU's secret, without a call to the SFU. */
  readonly control: ControlAuthority;
}

const REQUEST_TIMEOUT_S = 5;
/** A room outlives every token for it (6 h at most) even if it is empty, so that a link works until it expires. */
const ROOM_IDLE_TIMEOUT_S = 86_400;

/** The SFU administration through LiveKit's server API. */
export function createSfuAdmin(access: SfuAccess): SfuAdmin {
  const { participantUrl, httpUrl, apiKey, apiSecret } = access;
  const options = { requestTimeout: REQUEST_TIMEOUT_S, failover: false };
  const rooms = new RoomServiceClient(httpUrl, apiKey, apiSecret, options);
  const agentOrders = new AgentDispatchClient(httpUrl, apiKey, apiSecret, options);

  /** Creates the missing dispatches; the others stay unchanged. */
  async function settleAgents(room: string, wanted: Agent[]): Promise<Dispatch[]> {
    const there = await attempt(() => agentOrders.listDispatch(room));
    // A room created without agents gets one unrequested dispatch, which attracts every agent that has no name.
    const unasked = there.filter(({ agentName }) => agentName === '');
    for (const { id } of unasked) await attempt(() => agentOrders.deleteDispatch(id, room), undefined);
    const settled: Dispatch[] = [];
    for (const { name, metadata } of wanted) {
      const { id } =
        there.find(({ agentName }) => agentName === name) ??
        (await attempt(() => agentOrders.createDispatch(room, name, { metadata })));
      settled.push({ id, agentName: name });
    }
    return settled;
  }

  return {
    participantUrl,
    ensureRoom: async (name, metadata, wanted) => {
      const agents = wanted.map((agent) => new RoomAgentDispatch({ agentName: agent.name, metadata: agent.metadata }));
      const timeouts = { emptyTimeout: ROOM_IDLE_TIMEOUT_S, departureTimeout: ROOM_IDLE_TIMEOUT_S };
      const room = await attempt(() => rooms.createRoom({ name, metadata, agents, ...timeouts }));
      // An existing room keeps its metadata when it is created again.
      if (room.metadata !== metadata) await attempt(() => rooms.updateRoomMetadata(name, metadata));
      return settleAgents(name, wanted);
    },
    changeMetadata: async (name, change) => {
      const [room] = await attempt(() => rooms.listRooms([name]));
      const metadata = room ? change(room.metadata) : null;
      if (room === undefined || metadata === null) return false;
      if (metadata === room.metadata) return true;
      return (await attempt(() => rooms.updateRoomMetadata(name, metadata), null)) !== null;
    },
    listRooms: async () => {
      const found = await attempt(() => rooms.listRooms());
      return found.sort((a, b) => Number(b.creationTime - a.creationTime)).map(({ name }) => name);
    },
    deleteRoom: async (name) => {
      await attempt(() => rooms.deleteRoom(name), undefined);
    },
    listParticipants: async (room) => {
      const participants = await attempt(() => rooms.listParticipants(room), []);
      return participants.map(({ identity, sid, name, kind, permission, joinedAtMs, attributes }) => ({
        identity,
        joinId: sid,
        name,
        isAgent: kind === ParticipantInfo_Kind.AGENT,
        mayCall: permission?.canPublishData ?? true,
        joinedAtMs: Number(joinedAtMs),
        attributes,
      }));
    },
    removeParticipant: async (room, identity) => {
      await attempt(() => rooms.removeParticipant(room, identity), undefined);
    },
    holderOf: async (room, identity) => {
      const found = await attempt(() => rooms.getParticipant(room, identity), null);
      if (found === null || found.state === ParticipantInfo_State.DISCONNECTED) return null;
      const { sid, joinedAtMs, state, kind, attributes } = found;
      return {
        joinId: sid,
        joinedAtMs: Number(joinedAtMs),
        isConnected: state === ParticipantInfo_State.ACTIVE,
        isAgent: kind === ParticipantInfo_Kind.AGENT,
        attributes,
      };
    },
    setAttributes: async (room, identity, attributes) => {
      await attempt(() => rooms.updateParticipant(room, identity, { attributes }), undefined);
    },
    hasPeople: async (room) => {
      const participants = await attempt(() => rooms.listParticipants(room), []);
      return participants.some(({ kind }) => kind !== ParticipantInfo_Kind.AGENT);
    },
    announceWatcher: async (room) => {
      await attempt(() => rooms.sendData(room, new Uint8Array(), DataPacket_Kind.RELIABLE, { topic: WATCH_TOPIC }), undefined);
    },
    performRpc: (call) => performRpc(access, call),
    signToken: (grant) => signParticipantToken(access, grant),
    control: createControlAuthority(apiSecret),
  };
}

/** Runs a call; `whenMissing`, if given, is the answer for a room that does not exist. */
async function attempt<T>(call: () => Promise<T>, ...whenMissing: [T?]): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof TwirpError) {
      if (error.code === 'not_found' && whenMissing.length > 0) return whenMissing[0] as T;
      throw new SfuError('refused', `The SFU refused a call (${error.code ?? error.status}).`);
    }
    throw new SfuError('unreachable', 'The SFU does not answer.');
  }
}
