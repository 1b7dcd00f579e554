import { ENVELOPE_METHODS, type EnvelopeMethod } from '../../protocol/signed/signed-claims.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import { EnvelopeLine } from '../../remote-robot/envelope-line.ts';
import type { ControlTrust } from '../../runtime/host/sim-messages.ts';
import { createPageSigner, type PageSigner, roomKeys, type SignedPlace } from './page-signer.ts';

/**
 * The transport for signed calls from this page to its own robot in the `rcw` profile, and the other keys that the robot trusts.
 */
export interface SignedLine {
  /** Notes that the robot is in this room, with this metadata of the control service. */
  enter(place: SignedPlace, metadata: string): void;
  /**
   * Returns the call in the form that the robot accepts: in an envelope when it may command the body, otherwise unchanged. On an
   * insecure page, which cannot sign, the call stays unchanged, and the robot's rejection names the reason.
   */
  wrap(method: MethodName, payload: Readonly<Record<string, unknown>>): Promise<{ method: MethodName; payload: string }>;
}

export interface SignedLineDeps {
  holder: string;
  nowMs(): number;
  report(trust: ControlTrust): void;
  createSigner?: typeof createPageSigner;
}

const SIGNED: readonly MethodName[] = ENVELOPE_METHODS;

export function createSignedLine({ holder, nowMs, report, createSigner = createPageSigner }: SignedLineDeps): SignedLine {
  let signer: Promise<PageSigner | null> = Promise.resolve(null);
  let place: SignedPlace | null = null;
  const line = new EnvelopeLine(async () => (await signer)?.credentials ?? null, nowMs);

  return {
    enter(next, metadata) {
      const isSame = place?.robotId === next.robotId && place.session === next.session;
      place = next;
      if (!isSame) signer = createSigner(holder, next, nowMs).catch(() => null);
      const mine = signer;
      void mine.then((made) => {
        if (mine === signer) report({ keys: { keys: [...(made?.keys.keys ?? []), ...roomKeys(metadata).keys] }, ...next });
      });
    },
    async wrap(method, payload) {
      const plain = { method, payload: JSON.stringify(payload) };
      if (!SIGNED.includes(method)) return plain;
      const sealed = await line.put({
        method: method as EnvelopeMethod,
        payload,
        aheadMs: 0,
        check: () => {},
        send: async (request) => request,
      });
      return sealed ? { method: 'runtime.forward_envelope', payload: await sealed.reply } : plain;
    },
  };
}
