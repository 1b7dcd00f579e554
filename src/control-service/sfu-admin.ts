import { AgentDispatchClient, RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { type ParticipantGrant, signParticipantToken, signRoomAdminToken } from './tokens.ts';

/** What the control service asks of an SFU. Every call but `signToken` may throw an {@link SfuError}. */
export interface SfuAdmin {
  /** Address for participants, `ws://…` or `wss://…`. */
  readonly participantUrl: string;
  /** Makes the room; one of this name that is there already is kept, with the new metadata. */
  ensureRoom(room: string, metadata: string): Promise<void>;
  /** Closes the room and puts everybody out; one that is not there is closed already. */
  deleteRoom(room: string): Promise<void>;
  /** Sends an agent into the room; answers the dispatch's id. */
  dispatchAgent(room: string, agentName: string, metadata: string): Promise<string>;
  /** Identities of those who are in the room; nobody is in a room that is not there. */
  listIdentities(room: string): Promise<string[]>;
  /**
   * Calls a participant's RPC method and answers its reply. LiveKit sends a call that has had no reply for 3 s again by itself, up to
   * three times in all, whatever time-out it carries.
   */
  performRpc(call: RpcCall): Promise<string>;
  signToken(grant: ParticipantGrant): Promise<string>;
}

export interface RpcCall {
  room: string;
  identity: string;
  method: string;
  payload: string;
  timeoutMs: number;
}

/** Why a call to the SFU failed. */
export type SfuErrorReason = 'unreachable' | 'refused' | 'no_participant' | 'rpc_no_reply' | 'rpc_failed';

/** A call to the SFU that failed. The message holds no secret. */
export class SfuError extends Error {
  readonly reason: SfuErrorReason;
  constructor(reason: SfuErrorReason, message: string) {
    super(message);
    this.name = 'SfuError';
    this.reason = reason;
  }
}

/** Where an SFU is and how to speak to it. */
export interface SfuAccess {
  participantUrl: string;
  httpUrl: string;
  apiKey: string;
  apiSecret: string;
}

const REQUEST_TIMEOUT_S = 5;
/** A room outlives every token for it (6 h at most) though nobody is in it, so that a link works until it expires. */
const ROOM_IDLE_TIMEOUT_S = 86_400;
/** Time for the SFU's own part of a call. */
const RPC_ANSWER_MARGIN_MS = 7_000;
/** LiveKit's RPC errors after which nobody knows whether the participant carried the call out: no reply, or the recipient left. */
const NO_REPLY_CODES = new Set(['1501', '1502', '1503']);

/** The SFU administration over LiveKit's server interface. */
export function createSfuAdmin(access: SfuAccess): SfuAdmin {
  const { participantUrl, httpUrl, apiKey, apiSecret } = access;
  const options = { requestTimeout: REQUEST_TIMEOUT_S, failover: false };
  const rooms = new RoomServiceClient(httpUrl, apiKey, apiSecret, options);
  const agents = new AgentDispatchClient(httpUrl, apiKey, apiSecret, options);
  return {
    participantUrl,
    ensureRoom: async (name, metadata) => {
      await attempt(() =>
        rooms.createRoom({ name, metadata, emptyTimeout: ROOM_IDLE_TIMEOUT_S, departureTimeout: ROOM_IDLE_TIMEOUT_S }),
      );
    },
    deleteRoom: async (name) => {
      await attempt(() => rooms.deleteRoom(name), undefined);
    },
    dispatchAgent: async (room, agentName, metadata) => {
      const dispatch = await attempt(() => agents.createDispatch(room, agentName, { metadata }));
      return dispatch.id;
    },
    listIdentities: async (room) => {
      const participants = await attempt(() => rooms.listParticipants(room), []);
      return participants.map((participant) => participant.identity);
    },
    performRpc: async (call) => performRpc(httpUrl, await signRoomAdminToken(access, call.room), call),
    signToken: (grant) => signParticipantToken(access, grant),
  };
}

/** Runs a call; `whenMissing`, if given, is the answer for a room that is not there. */
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

/** LiveKit's PerformRpc: the server SDK has no call for it yet. */
async function performRpc(httpUrl: string, token: string, call: RpcCall): Promise<string> {
  const body = {
    room: call.room,
    destination_identity: call.identity,
    method: call.method,
    payload: call.payload,
    response_timeout_ms: call.timeoutMs,
  };
  let response: Response;
  let answer: { payload?: unknown; code?: unknown; msg?: unknown };
  try {
    response = await fetch(`${httpUrl}/twirp/livekit.RoomService/PerformRpc`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(call.timeoutMs + RPC_ANSWER_MARGIN_MS),
    });
    answer = (await response.json()) as typeof answer;
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    throw late
      ? new SfuError('rpc_no_reply', 'The participant did not answer in time.')
      : new SfuError('unreachable', 'The SFU does not answer.');
  }
  if (response.ok) return typeof answer.payload === 'string' ? answer.payload : '';
  throw rpcError(answer);
}

function rpcError(answer: { code?: unknown; msg?: unknown }): SfuError {
  if (answer.code === 'not_found') return new SfuError('no_participant', 'The participant is not in the room.');
  const rpcCode = /RpcError (\d+)/.exec(String(answer.msg))?.[1];
  // Without a code of its own the call did not get through: the participant has just come or gone.
  if (rpcCode === undefined || NO_REPLY_CODES.has(rpcCode)) {
    return new SfuError('rpc_no_reply', 'The participant did not answer in time.');
  }
  return new SfuError('rpc_failed', 'The participant did not carry out the call.');
}
