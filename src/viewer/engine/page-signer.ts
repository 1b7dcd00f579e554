import {
  type ControlKeys,
  controlKeysSchema,
  createControlKeyPair,
  type EnvelopeMethod,
  issueGrant,
  sealEnvelope,
} from '../../protocol/signed-control.ts';

/** How long the page's own grant lasts: longer than any tab is open. */
const GRANT_LIFE_S = 30 * 86_400;
const KEY_NAME = 'page';

/** Where the robot is: what a signature is bound to. */
export interface SignedPlace {
  robotId: string;
  /** Name of the room; a robot of the tab alone has a name of its own. */
  session: string;
}

/**
 * The hand of whoever sits at the robot's own page: its calls pass signed control like everybody's, with a key that was made for this
 * page, that its own robot alone trusts and that nobody can read out.
 */
export interface PageSigner {
  /** For the robot of this page to trust, beside those of the control service. */
  readonly keys: ControlKeys;
  /** The request of `runtime.forward_envelope` around a call, as JSON text. */
  seal(method: EnvelopeMethod, payload: Readonly<Record<string, unknown>>): Promise<string>;
}

/** @param nowMs milliseconds since the epoch */
export async function createPageSigner(holder: string, place: SignedPlace, nowMs: () => number): Promise<PageSigner> {
  const { privateKey, publicKey } = await createControlKeyPair();
  const issuedAtS = Math.floor(nowMs() / 1000);
  const order = { grantId: crypto.randomUUID(), holder, ...place, publicKey, issuedAtS, expiresAtS: issuedAtS + GRANT_LIFE_S };
  const grant = await issueGrant(order, { privateKey, kid: KEY_NAME });
  let sequence = 0;
  return {
    keys: { keys: [{ ...publicKey, kid: KEY_NAME }] },
    seal(method, payload) {
      sequence += 1;
      return sealEnvelope({ call: { method, payload }, ...place, sequence, grant, nowMs: nowMs() }, privateKey);
    },
  };
}

/** The control service's keys out of what it has written on the room; none when there are none. */
export function roomKeys(metadata: string): ControlKeys {
  try {
    const { control_keys: written } = JSON.parse(metadata) as { control_keys?: unknown };
    const read = controlKeysSchema.safeParse(written);
    return read.success ? read.data : { keys: [] };
  } catch {
    return { keys: [] };
  }
}
