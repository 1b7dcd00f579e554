import { isRecord } from '../../common/schema-texts.ts';
import type { ActiveAction } from '../../protocol/wire/state.ts';
import type { Known } from '../../remote-robot/judge-loss.ts';
import { RcwRuntimeError } from '../errors.ts';
import { encodePayload } from './payload.ts';
import { guardCode, isActionResult, isGuard } from './read-result.ts';
import type { RoomLink } from './room-link.ts';
import { CallFailure } from './transport/call-failure.ts';
import { sleep } from './wait.ts';

/** The runtime's knowledge of an action: its result, or its current activity if the runtime reports it. */
export type Knowledge =
  | { kind: 'ended'; reply: unknown }
  | { kind: 'running'; active: ActiveAction | null }
  | { kind: Exclude<Known, 'ended' | 'running'> };

export const LOOK_UP_REPLY_MS = 3_000;
/** A reply that takes longer may be lost, so the runtime is asked about the action at this interval. */
const LOOK_UP_EVERY_MS = 5_000;
/** The interval if a caller listens to the events of the action. */
const EVENTS_EVERY_MS = 200;

/** Asks the runtime once about an action (`runtime.action`). */
export async function lookUp(link: RoomLink, actionId: string, timeoutMs: number, signal?: AbortSignal): Promise<Knowledge> {
  const reply = await askQuietly(link, 'runtime.action', { action_id: actionId }, timeoutMs, signal);
  if (!('reply' in reply)) return reply;
  if (isActionResult(reply.reply, actionId)) return { kind: 'ended', reply: reply.reply };
  if (guardCode(reply.reply) === 'ACTION_NOT_FOUND') return { kind: 'unheard' };
  if (isGuard(reply.reply)) return { kind: 'silent' };
  return { kind: 'running', active: activeIn(reply.reply, actionId) };
}

/**
 * Settles when the runtime knows the end of the action, or reports that it does not know the action. Never settles for a runtime
 * that keeps no record.
 * @param onActive receives the current activity of the action, repeatedly
 */
export async function watch(
  link: RoomLink,
  actionId: string,
  signal: AbortSignal,
  onActive?: (active: ActiveAction) => void,
): Promise<Knowledge> {
  const startedMs = performance.now();
  let isMute = false;
  try {
    while (!isMute || onActive) {
      await sleep(onActive ? EVENTS_EVERY_MS : LOOK_UP_EVERY_MS, signal);
      if (isMute) {
        const active = await activeNow(link, actionId, signal);
        if (active) onActive?.(active);
        continue;
      }
      const known = await lookUp(link, actionId, LOOK_UP_REPLY_MS, signal);
      if (known.kind === 'ended') return known;
      // The question can overtake the call that it asks about.
      if (known.kind === 'unheard' && performance.now() - startedMs >= LOOK_UP_EVERY_MS) return known;
      if (known.kind === 'running' && known.active) onActive?.(known.active);
      isMute = known.kind === 'mute';
    }
  } catch {
    // The call itself reports the end of the room and the signal to the caller.
  }
  return new Promise(() => {});
}

/** Returns the running action that a runtime without a record reports, if the id matches. */
async function activeNow(link: RoomLink, actionId: string, signal: AbortSignal): Promise<ActiveAction | null> {
  const state = await askQuietly(link, 'runtime.state', {}, LOOK_UP_REPLY_MS, signal);
  return 'reply' in state && isRecord(state.reply) ? activeIn(state.reply.runtime, actionId) : null;
}

function activeIn(holder: unknown, actionId: string): ActiveAction | null {
  const active = isRecord(holder) ? holder.active_action : undefined;
  if (!isRecord(active) || active.action_id !== actionId || typeof active.phase !== 'string') return null;
  return active as unknown as ActiveAction;
}

async function askQuietly(
  link: RoomLink,
  method: string,
  payload: Record<string, unknown>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<{ reply: unknown } | { kind: 'mute' } | { kind: 'silent' }> {
  const identity = link.runtime;
  if (identity === null) return { kind: 'silent' };
  try {
    return { reply: await link.callOnce(identity, method, encodePayload(payload), timeoutMs, signal) };
  } catch (error) {
    if (error instanceof CallFailure) return { kind: error.reason === 'unsupported' ? 'mute' : 'silent' };
    if (error instanceof RcwRuntimeError) return { kind: 'silent' };
    throw error;
  }
}
