import { type SfuAccess, SfuError } from './sfu-error.ts';
import { signRoomAdminToken } from './tokens.ts';

/** A call of one participant's RPC method. */
export interface RpcCall {
  room: string;
  identity: string;
  method: string;
  payload: string;
  timeoutMs: number;
  /** Ends the wait for the reply; the participant may still carry out the call. */
  signal?: AbortSignal | undefined;
}

/** Time for the SFU's own part of a call. */
const ANSWER_MARGIN_MS = 7_000;
/**
 * LiveKit's RPC errors after which it is unknown whether the participant carried out the call: no acknowledgement, no reply, the
 * recipient left, the packet was not sent.
 */
const NO_REPLY_CODES = new Set(['1501', '1502', '1503', '1505']);
const UNKNOWN_METHOD_CODE = '1400';
const REPLY_TOO_LARGE_CODE = '1504';

/** LiveKit's PerformRpc: the server SDK has no call for it yet. @throws {@link SfuError}, or the signal's reason */
export async function performRpc(access: SfuAccess, call: RpcCall): Promise<string> {
  const token = await signRoomAdminToken(access, call.room);
  const body = {
    room: call.room,
    destination_identity: call.identity,
    method: call.method,
    payload: call.payload,
    response_timeout_ms: call.timeoutMs,
  };
  const late = AbortSignal.timeout(call.timeoutMs + ANSWER_MARGIN_MS);
  let ok: boolean;
  let answer: { payload?: unknown; code?: unknown; msg?: unknown };
  try {
    const response = await fetch(`${access.httpUrl}/twirp/livekit.RoomService/PerformRpc`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: call.signal ? AbortSignal.any([late, call.signal]) : late,
    });
    ok = response.ok;
    answer = (await response.json()) as typeof answer;
  } catch {
    call.signal?.throwIfAborted();
    throw late.aborted
      ? new SfuError('rpc_no_reply', 'The participant did not answer in time.')
      : new SfuError('unreachable', 'The SFU does not answer.');
  }
  if (ok) return typeof answer.payload === 'string' ? answer.payload : '';
  throw rpcError(answer);
}

function rpcError(answer: { code?: unknown; msg?: unknown }): SfuError {
  if (answer.code === 'not_found') return new SfuError('no_participant', 'The participant is not in the room.');
  const code = /RpcError (\d+)/.exec(String(answer.msg))?.[1];
  // Without its own code, the call did not reach the participant, which has just joined or left.
  if (code === undefined || NO_REPLY_CODES.has(code)) {
    return new SfuError('rpc_no_reply', 'The participant did not answer in time.');
  }
  if (code === UNKNOWN_METHOD_CODE) return new SfuError('rpc_unknown_method', 'The participant does not know this call.');
  if (code === REPLY_TOO_LARGE_CODE) return new SfuError('rpc_reply_too_large', 'The reply is larger than LiveKit carries.');
  return new SfuError('rpc_failed', 'The participant did not carry out the call.');
}
