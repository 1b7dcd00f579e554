import type { CryptoKey, JWK } from 'jose';
import * as base64url from 'jose/base64url';
import { CompactSign } from 'jose/jws/compact/sign';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { asciiOf } from '../../common/bytes.ts';
import { fitsRpc } from '../wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../wire/limits.ts';
import {
  type ControlKey,
  controlKeySchema,
  ENVELOPE_MAX_LIFE_S,
  ENVELOPE_TYPE,
  type EnvelopeClaims,
  type EnvelopeMethod,
  GRANT_TYPE,
  type GrantClaims,
  SIGNING_ALGORITHM,
} from './signed-claims.ts';

/** A private key to sign with: opaque, or as a JWK. A secret. */
export type SigningKey = CryptoKey | JWK;

/** The holder's key: the private half cannot be exported again. */
export interface ControlKeyPair {
  privateKey: CryptoKey;
  publicKey: ControlKey;
}

/** A new Ed25519 key pair. @throws if WebCrypto is missing (an insecure page) or does not support Ed25519 */
export async function createControlKeyPair(): Promise<ControlKeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: false });
  return { privateKey, publicKey: controlKeySchema.parse(await exportJWK(publicKey)) };
}

/** The content of a grant and its holder. */
export interface GrantOrder {
  grantId: string;
  holder: string;
  robotId: string;
  /** Name of the room: a grant of one session is invalid in the next. */
  session: string;
  publicKey: ControlKey;
  /** Seconds since the epoch. */
  issuedAtS: number;
  expiresAtS: number;
}

/** The grant as a JWT. @param signer of the control service; `kid` names it among its public keys */
export function issueGrant(order: GrantOrder, signer: { privateKey: SigningKey; kid: string }): Promise<string> {
  const { kty, crv, x } = order.publicKey;
  const claims: GrantClaims = {
    jti: order.grantId,
    sub: order.holder,
    robot_id: order.robotId,
    session: order.session,
    cnf: { jwk: { kty, crv, x } },
    iat: order.issuedAtS,
    exp: order.expiresAtS,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: GRANT_TYPE, kid: signer.kid })
    .sign(signer.privateKey);
}

/**
 * Returns how long a grant lives from its issue to its end, seconds, by the clock of its issuer; 0 for a text that is not a
 * grant.
 */
export function grantLifeS(grant: string): number {
  try {
    const { iat, exp } = decodeJwt(grant);
    return typeof iat === 'number' && typeof exp === 'number' ? Math.max(0, exp - iat) : 0;
  } catch {
    return 0;
  }
}

/** One call to seal. */
export interface SealOrder {
  call: { method: EnvelopeMethod; payload: Readonly<Record<string, unknown>> };
  robotId: string;
  session: string;
  /** Larger than every number used with this key before, under any grant, also for a repeated call. */
  sequence: number;
  grant: string;
  /** Milliseconds since the epoch, by the best estimate of the runtime's clock. */
  nowMs: number;
  /** @default the longest possible, 5 s */
  lifeS?: number;
}

/**
 * The request of `runtime.forward_envelope` for one call, as JSON text.
 * @throws RangeError when it is larger than one RPC carries
 */
export async function sealEnvelope(order: SealOrder, privateKey: SigningKey): Promise<string> {
  const issuedAtS = order.nowMs / 1000;
  const claims: EnvelopeClaims = {
    robot_id: order.robotId,
    session: order.session,
    seq: order.sequence,
    iat: issuedAtS,
    exp: issuedAtS + (order.lifeS ?? ENVELOPE_MAX_LIFE_S),
    call: order.call,
    grant: order.grant,
  };
  const jws = await new CompactSign(utf8(JSON.stringify(claims)))
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ENVELOPE_TYPE })
    .sign(privateKey);
  const request = JSON.stringify({ envelope: toBase64(jws) });
  if (fitsRpc(request)) return request;
  throw new RangeError(`The signed call has ${request.length} bytes; one call carries ${RPC_PAYLOAD_MAX_BYTES} at most.`);
}

/** Returns the envelope itself in a request of `sealEnvelope`: a JWT. */
export const sealedIn = (request: string): string =>
  asciiOf(base64url.decode((JSON.parse(request) as { envelope: string }).envelope));

/** Base64 (RFC 4648, section 4) of a text, in UTF-8. */
export function toBase64(text: string): string {
  const unpadded = base64url.encode(text).replaceAll('-', '+').replaceAll('_', '/');
  return unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, '=');
}

/** TextEncoder is not available in this folder; base64url takes text as UTF-8. */
const utf8 = (text: string): Uint8Array => base64url.decode(base64url.encode(text));
