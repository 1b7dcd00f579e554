import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type ControlKey, type ControlKeys, controlKeySchema, type GrantOrder, issueGrant } from '../protocol/signed-control.ts';

/** The authority over whose signed calls a robot takes. */
export interface ControlAuthority {
  /** The public keys that runtimes must trust; they stand in the metadata of every room. */
  readonly keys: ControlKeys;
  issue(order: GrantOrder): Promise<string>;
}

/**
 * The purpose of the key, as HKDF's `info` (RFC 5869, section 3.2): a key for one purpose reveals nothing of the secret it is
 * made of, nor of keys for other purposes. Another version makes another key.
 */
const KEY_LABEL = 'simplesim control service: Ed25519 key for control grants, version 1';
/** PKCS #8 of an Ed25519 key (RFC 8410, section 7) up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Creates the signing key of the service, made of the secret of its SFU with HKDF-SHA256: all instances have the same without
 * keeping or sharing anything, a new secret makes a new key, and tokens of the SFU and grants have no key in common. A holder of
 * the secret could enter any room anyway.
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
