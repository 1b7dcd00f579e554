import { type ControlKeys, controlKeysSchema, createControlKeyPair, issueGrant } from '../../protocol/signed/signed-control.ts';
import type { Credentials } from '../../remote-robot/envelope-line.ts';

/** Validity of the page's own grant: longer than any tab stays open. */
const GRANT_LIFE_S = 30 * 86_400;
const KEY_NAME = 'page';

/** The robot's place, to which a signature is bound. */
export interface SignedPlace {
  robotId: string;
  /** Name of the room. A robot that runs only in the tab has its own name. */
  session: string;
}

/**
 * Signs the calls of the person at the robot's own page, so that they pass signed control like all others. The key is created for
 * this page, trusted only by its own robot, and cannot be extracted.
 */
export interface PageSigner {
  /** Keys that the robot of this page trusts in addition to those of the control service. */
  readonly keys: ControlKeys;
  readonly credentials: Credentials;
}

/** Creates the signer. @param nowMs milliseconds since the epoch */
export async function createPageSigner(holder: string, place: SignedPlace, nowMs: () => number): Promise<PageSigner> {
  const { privateKey, publicKey } = await createControlKeyPair();
  const issuedAtS = Math.floor(nowMs() / 1000);
  const order = { grantId: crypto.randomUUID(), holder, ...place, publicKey, issuedAtS, expiresAtS: issuedAtS + GRANT_LIFE_S };
  const grant = await issueGrant(order, { privateKey, kid: KEY_NAME });
  return { keys: { keys: [{ ...publicKey, kid: KEY_NAME }] }, credentials: { privateKey, grant, ...place } };
}

/** Reads the control service's keys from the room's metadata; empty if it contains none. */
export function roomKeys(metadata: string): ControlKeys {
  try {
    const { control_keys: written } = JSON.parse(metadata) as { control_keys?: unknown };
    const read = controlKeysSchema.safeParse(written);
    return read.success ? read.data : { keys: [] };
  } catch {
    return { keys: [] };
  }
}
