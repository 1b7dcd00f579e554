import { createHash } from 'node:crypto';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { obedientExtra } from '../control-service/helpers/obedient.ts';

const DETAILS = { stage: 'execution', attempted: true, world_changed: 'yes', retryable: true };
const error = { code: 'NAVIGATION_STUCK', message: 'The way is blocked.', details: DETAILS };

/** Returns the state of a runtime that obeys its owner, as far as the service reads it. @param metadata that of its room */
export const obedientState = (metadata: string): string =>
  JSON.stringify({ runtime: { status: 'ready' }, robot: { status: 'ready', extra: obedientExtra(metadata) } });

/** Returns a possible answer of a runtime to a call, derived from the call, so that a run is reproducible by its seed. */
export function runtimeReply(call: RpcCall): string {
  // A read has no action.
  const { options } = JSON.parse(call.payload) as { options?: { action_id: string } };
  const actionId = options?.action_id ?? '';
  const meta = { action_id: actionId, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
  const replies = [
    () => JSON.stringify({ status: 'done', result: {}, meta }),
    () => JSON.stringify({ status: 'failed', error, meta }),
    () => JSON.stringify({ status: 'failed', error }),
    () => '{"status":"maybe"}',
    () => 'no JSON',
    () => {
      throw new SfuError('rpc_failed', 'The participant did not carry out the call.');
    },
    () => {
      throw new SfuError('rpc_unknown_method', 'The participant has no such method.');
    },
  ];
  const byName = createHash('sha256').update(call.payload.replace(actionId, '')).digest()[0] ?? 0;
  return (replies[byName % replies.length] ?? replies[0])?.() ?? '{}';
}
