import assert from 'node:assert/strict';
import type { Contract } from '../../../src/runtime/core.ts';
import type { RcwContract } from '../../../src/runtime/rcw/contract.ts';
import type { RcwState } from '../../../src/runtime/rcw/rcw-state.ts';
import { createTestRuntime, type PendingCall, type TestRuntime } from '../test-runtime.ts';

export const STANDING = { r_arm: [0.35, 0.18, 0.0, -0.87, 0.0], l_arm: [-0.35, -0.18, 0.0, 0.87, 0.0] };
/** Both arms forward, elbows bent. */
export const REACHING = { r_arm: [-0.9, 0.1, 0, -0.6, 0], l_arm: [0.9, -0.1, 0, 0.6, 0] };

export const SIGNED = { holder: 'operator', grantId: 'grant-1' };

/** A worker that stands, has reported, and accepts unsigned calls. */
export async function createRcw(signedControlRequired = false): Promise<TestRuntime> {
  const t = await createTestRuntime({ profile: 'worker', signedControlRequired });
  t.advance(2);
  return t;
}

/** Returns the inner state of the physical robot's contract. */
export function rcwStateOf({ core: { contract } }: TestRuntime): RcwState {
  assert(isRcw(contract));
  return contract.state;
}

const isRcw = (contract: Contract): contract is RcwContract => contract.profile === 'worker';

/** A skill called with a signature. */
export const startSigned = (t: TestRuntime, name: string, input: unknown): PendingCall =>
  t.sendText('runtime.tools_call', JSON.stringify({ name, input }), 'agent', SIGNED);

/** Of `extra` in the state. */
export const control = (t: TestRuntime) => t.read('runtime.state').robot.extra.control;

/** Steps until at least this much wall time has passed. */
export function advanceMs(t: TestRuntime, ms: number): void {
  const endMs = t.nowMs + ms;
  while (t.nowMs < endMs - 1e-6) t.advance();
}
