import { SERVICE_HOLDER } from '../../protocol/control-service.ts';
import { DEADLINE_MAX_S } from '../../protocol/limits.ts';
import { createControlKeyPair, sealEnvelope } from '../../protocol/signed-control.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../secrets.ts';

/** Seals the service's own calls to one runtime. */
export interface Sealer {
  /** The request of `runtime.forward_envelope` for a skill call; another one each time. @throws RangeError when it is too large */
  seal(payload: Record<string, unknown>): Promise<string>;
  /** What the runtime says its clock shows, for the envelopes to come. */
  setClock(runtimeNowMs: number): void;
}

/** Longer than any command is waited for. */
const GRANT_LIFE_S = DEADLINE_MAX_S + 600;

/**
 * A key pair and a grant of the service for itself, for one command: commands run beside each other, and the numbers of one grant must
 * arrive in their order.
 */
export async function createSealer(deps: ServiceDeps, robotId: string, session: string): Promise<Sealer> {
  const { privateKey, publicKey } = await createControlKeyPair();
  const issuedAtS = Math.floor(deps.clock.nowMs() / 1000);
  const grant = await deps.sfu.control.issue({
    grantId: newId(deps.clock.nowMs(), deps.randomBytes),
    holder: SERVICE_HOLDER,
    robotId,
    session,
    publicKey,
    issuedAtS,
    expiresAtS: issuedAtS + GRANT_LIFE_S,
  });
  let sequence = 0;
  let aheadMs = 0;
  return {
    seal: (payload) => {
      sequence += 1;
      const nowMs = deps.clock.nowMs() + aheadMs;
      const call = { method: 'runtime.tools_call', payload } as const;
      return sealEnvelope({ call, robotId, session, sequence, grant, nowMs }, privateKey);
    },
    setClock: (runtimeNowMs) => {
      aheadMs = runtimeNowMs - deps.clock.nowMs();
    },
  };
}
