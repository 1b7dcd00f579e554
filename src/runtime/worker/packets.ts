import type { ActionResult } from '../../protocol/action.ts';
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

export const packetOf = (core: RuntimeCore, actionId: string): TakenPacket | null => core.packets.get(actionId) ?? null;

export function rememberPacket(core: RuntimeCore, packet: TakenPacket): void {
  core.packets.set(packet.actionId, packet);
  if (core.packets.size <= PACKETS_KEPT) return;
  for (const oldest of core.packets.keys()) {
    core.packets.delete(oldest);
    return;
  }
}

/** The end of a call that takes no time and is kept in no ledger. */
export function instantResult(core: RuntimeCore, actionId: string, result: Record<string, unknown>): ActionResult {
  const atMs = onWall(core, core.nowMs);
  return { status: 'done', result, meta: { action_id: actionId, started_at_ms: atMs, finished_at_ms: atMs, duration_ms: 0 } };
}
