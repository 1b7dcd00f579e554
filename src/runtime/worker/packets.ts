import type { ActionResult } from '../../protocol/action.ts';
import { type Caller, callerKey } from '../../protocol/caller.ts';
import { FairShelf } from '../../protocol/fair-shelf.ts';
import { onWall, type RuntimeCore } from '../core.ts';

/** A pose packet that was taken, by its action id: the same packet again is answered and not followed again (promise P5). */
export interface TakenPacket {
  actionId: string;
  parametersKey: string;
  /** JSON text. */
  reply: string;
}

/** Some 20 s of packets at 50 a second; what comes later than that is no repeat of the transport's. */
const PACKETS_KEPT = 1_024;

/** Each caller has a share of what is kept: no number of another's packets makes the repeat of one be followed. */
export type TakenPackets = FairShelf<TakenPacket>;
export const createTakenPackets = (): TakenPackets => new FairShelf(PACKETS_KEPT);

export const packetOf = (core: RuntimeCore, actionId: string): TakenPacket | null => core.packets.get(actionId) ?? null;

export const rememberPacket = (core: RuntimeCore, caller: Caller, packet: TakenPacket): void =>
  void core.packets.put(packet.actionId, callerKey(caller), packet);

/** The end of a call that takes no time and is kept in no ledger. */
export function instantResult(core: RuntimeCore, actionId: string, result: Record<string, unknown>): ActionResult {
  const atMs = onWall(core, core.nowMs);
  return { status: 'done', result, meta: { action_id: actionId, started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 } };
}
