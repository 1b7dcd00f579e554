import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import {
  type ControlKey,
  type ControlKeys,
  controlKeySchema,
  type GrantOrder,
  issueGrant,
} from '../protocol/signed/signed-control.ts';

/** The authority whose signed calls a robot accepts. */
export interface ControlAuthority {
  /** The public keys that runtimes must trust. The metadata of every room contains them. */
  readonly keys: ControlKeys;
  issue(order: GrantOrder): Promise<string>;
}

/**
 * The purpose of the key, as HKDF's `info` (RFC 5869, section 3.2). A key for one purpose reveals nothing about the secret it is
 * derived from, nor about keys for other purposes. Another version derives another key.
 */
const KEY_LABEL = 'simplesim control service: Ed25519 key for control grants, version 1';
/** PKCS #8 of an Ed25519 key (RFC 8410, section 7) up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Creates the signing key of the service from the secret of its SFU with HKDF-SHA256. All instances derive the same key without
 * storing or sharing anything, and a new secret gives a new key. Tokens of the SFU and grants never share a key. A holder of the
 * secret could enter any room anyway.
 */
export function createControlAuthority(sfuSecret: string): ControlAuthority {
  const seed = Buffer.from(hkdfSync('sha256', sfuSecret, '', KEY_LABEL, 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = publicKeyOf(privateKey);
  const signer = { privateKey: privateKey as never, kid: publicKey.kid };
  return { keys: { keys: [publicKey] }, issue: (order) => issueGrant(order, signer) };
}

function publicKeyOf(privateKey: KeyObject): ControlKey & { kid: string } {
  const { kty, crv, x } = controlKeySchema.parse(createPublicKey(privateKey).export({ format: 'jwk' }));
  // RFC 7638: the members that form the key, in the order of their names.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kty, crv, x, kid };
}
