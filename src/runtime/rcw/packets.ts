import type { ActionResult } from '../../protocol/wire/action.ts';
import { type Caller, callerKey } from '../../protocol/wire/caller.ts';
import { onWall, type RuntimeCore } from '../core.ts';
import type { RcwState } from './rcw-state.ts';
import type { TakenPacket } from './taken-packets.ts';

/** Returns the packet of poses that was taken under this id, or null. */
export const packetOf = ({ packets }: RcwState, actionId: string): TakenPacket | null => packets.get(actionId) ?? null;

/** Remembers a packet of poses for its caller, so that a repeat of it is not followed twice. */
export const rememberPacket = ({ packets }: RcwState, caller: Caller, packet: TakenPacket): void =>
  void packets.put(packet.actionId, callerKey(caller), packet);

/** Returns the end of a call that takes no time and is kept in no ledger. */
export function instantResult(core: RuntimeCore, actionId: string, result: Record<string, unknown>): ActionResult {
  const atMs = onWall(core, core.nowMs);
  return { status: 'done', result, meta: { action_id: actionId, started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 } };
}
