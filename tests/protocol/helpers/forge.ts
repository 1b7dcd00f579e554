/** Makes grants and envelopes with Node's own cryptography, valid and invalid ones, without any code under test. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export const ROBOT = '0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81';
export const SESSION = `robot-${ROBOT}-0a1b2c3d4e5f`;
export const START_MS = Date.UTC(2030, 0, 1);

export interface Pair {
  privateKey: KeyObject;
  jwk: { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string };
}

/** @param seed the same 32 bytes give the same pair each time */
export function pairOf(seed?: Uint8Array): Pair {
  // PKCS #8 of an Ed25519 key (RFC 8410, section 7): a fixed head before the 32 bytes.
  const privateKey = seed
    ? createPrivateKey({
        key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
        format: 'der',
        type: 'pkcs8',
      })
    : generateKeyPairSync('ed25519').privateKey;
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  return { privateKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid } };
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A compact JWS. A text instead of an object is inserted as it is. */
export function jwsOf(header: unknown, claims: unknown, key: KeyObject): string {
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

type Fields = Record<string, unknown>;

/** A control service and one holder of a grant. Fields given here replace those of a valid grant or envelope. */
export function createForge(seed?: number) {
  const seeded = (n: number) => (seed === undefined ? undefined : createHash('sha256').update(`${seed}/${n}`).digest());
  const service = pairOf(seeded(1));
  const holder = pairOf(seeded(2));
  const nowS = START_MS / 1000;
  const grantClaims = (fields: Fields = {}): Fields => ({
    jti: 'grant-1',
    sub: 'tester',
    robot_id: ROBOT,
    session: SESSION,
    cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: holder.jwk.x } },
    iat: nowS,
    exp: nowS + 3_600,
    ...fields,
  });
  const grant = (fields: Fields = {}, header: Fields = {}, key = service.privateKey): string =>
    jwsOf({ alg: 'EdDSA', typ: 'control-grant+jwt', kid: service.jwk.kid, ...header }, grantClaims(fields), key);
  // Signed once, because a fuzz test makes tens of thousands of envelopes.
  const usualGrant = grant();
  let sequence = 0;
  const claims = (fields: Fields = {}): Fields => {
    sequence += 1;
    return {
      robot_id: ROBOT,
      session: SESSION,
      seq: sequence,
      iat: nowS,
      exp: nowS + 5,
      call: { method: 'runtime.tools_call', payload: { name: 'stop', input: {} } },
      grant: usualGrant,
      ...fields,
    };
  };
  const jws = (fields: Fields = {}, header: Fields = {}, key = holder.privateKey): string =>
    jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt', ...header }, claims(fields), key);
  return {
    service,
    holder,
    trusted: { keys: [service.jwk] },
    grant,
    grantClaims,
    claims,
    jws,
    envelope: (...args: Parameters<typeof jws>): string => base64(jws(...args)),
  };
}
