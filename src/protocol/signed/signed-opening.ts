import type { CryptoKey } from 'jose';
import * as base64url from 'jose/base64url';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import * as jose from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import { decodeJwt } from 'jose/jwt/decode';
import { importJWK } from 'jose/key/import';
import type { z } from 'zod';
import { asciiOf } from '../../common/bytes.ts';
import { invalidInput } from '../texts/error-texts.ts';
import * as texts from '../texts/signed-texts.ts';
import { type CommandKind, callKind, overtakes } from '../wire/command-kinds.ts';
import type { RuntimeError } from '../wire/error-codes.ts';
import { HOLDS_TOO_LARGE, holdsSpecial } from '../wire/json.ts';
import { specialNumberIn, tooIntricate, withNullForSpecials } from '../wire/json-scan.ts';
import {
  CONTROL_ALGORITHMS,
  type ControlKey,
  type ControlKeys,
  controlKeySchema,
  ENVELOPE_CLOCK_TOLERANCE_MS,
  ENVELOPE_MAX_LIFE_S,
  ENVELOPE_TYPE,
  type EnvelopeClaims,
  type EnvelopeMethod,
  envelopeClaimsSchema,
  GRANT_TYPE,
  type GrantClaims,
  grantClaimsSchema,
  headerSchema,
} from './signed-claims.ts';
import { createReplayMemory, type ReplayMemory } from './signed-replay.ts';

/** A runtime's memory of envelopes, kept between envelopes. Each runtime has one. */
export interface EnvelopeMemory {
  readonly replay: ReplayMemory;
  /** Grants whose signature was checked, by their text. */
  readonly grants: Map<string, VerifiedGrant>;
  /**
   * Envelopes issued before this moment may have been carried out by a runtime whose memory is gone. Milliseconds since the
   * epoch.
   */
  readonly startedMs: number;
}

interface VerifiedGrant {
  claims: GrantClaims;
  /** Key of the control service. */
  signedWith: ControlKey;
  /** Key of the holder. */
  key: CryptoKey;
}

/** The opening runtime: the keys it trusts, its robot and its session. */
export interface OpeningContext {
  /** Public keys of the control service, null while they are unknown. */
  trustedKeys(): ControlKeys | null;
  robotId: string;
  /** Name of the room. */
  session: string;
  /** Milliseconds since the epoch, monotonic. Read when the signatures are checked, so that waiting counts. */
  nowMs(): number;
  memory: EnvelopeMemory;
  /**
   * Whether a later stop was let through first. The number is then out of order for that reason, and a call that the stop undoes
   * is rejected. @default no
   */
  isOvertaken?: boolean;
}

/** The call of a valid envelope, or the reason why it is invalid. */
export type OpenedEnvelope =
  | { ok: true; call: { method: EnvelopeMethod; payload: string }; holder: string; grantId: string; sequence: number }
  | { ok: false; error: RuntimeError };

/** Algorithm, type and the longest name of a key, in base64, take a third of this. */
const HEADER_MAX_CHARS = 1_024;
/** Checking a grant costs a signature check, so this many are kept. */
const GRANTS_KEPT = 64;

export const createEnvelopeMemory = (startedMs: number): EnvelopeMemory => ({
  replay: createReplayMemory(),
  grants: new Map(),
  startedMs,
});

/** Ends the opening with a rejection. */
class Refusal {
  readonly error: RuntimeError;
  constructor(error: RuntimeError) {
    this.error = error;
  }
}

/**
 * Opens an envelope: form, grant, signature, robot, session, time, sequence, in this order; the first failing check is reported.
 * Nothing that a signature should guarantee is revealed before the signature has been checked. Its calls must not overlap, or the
 * order is lost. Never rejects.
 */
export async function openEnvelope(envelope: string, context: OpeningContext): Promise<OpenedEnvelope> {
  try {
    const jws = compactOf(envelope);
    readHeader(jws, ENVELOPE_TYPE, 'header');
    const { claims, special } = readClaims(jws, envelopeClaimsSchema, '');
    checkSpan(claims);
    // Checked before any work: later code must be able to serialise the sealed call.
    let isTooLarge = false;
    const payload = JSON.stringify(claims.call.payload, (_name, value: unknown) => {
      // Serialised, it would become null, which for an optional field is another call.
      if (typeof value === 'number' && !Number.isFinite(value)) isTooLarge = true;
      return value;
    });
    const grant = await verifyGrant(claims.grant, context);
    await verify(jws, grant.key, 'envelope');
    checkBinding(claims, grant.claims, context);
    const nowMs = context.nowMs();
    checkTime(claims, grant.claims, nowMs, context.memory.startedMs);
    // Same answer as for a call without a signature; the sequence number is not used up.
    if (special !== null) throw new Refusal(invalidInput(holdsSpecial(special)));
    if (isTooLarge) throw new Refusal(invalidInput(HOLDS_TOO_LARGE));
    checkSequence(claims.seq, grant.claims.cnf.jwk.x, nowMs, callKind(claims.call.method, claims.call.payload), context);
    const { sub: holder, jti: grantId } = grant.claims;
    return { ok: true, call: { method: claims.call.method, payload }, holder, grantId, sequence: claims.seq };
  } catch (reason) {
    if (reason instanceof Refusal) return { ok: false, error: reason.error };
    // Text that no reader expects, such as text nested thousands of levels deep.
    return { ok: false, error: texts.envelopeMalformed('its content cannot be read') };
  }
}

/** Returns the compact JWS in the base64 text, if both are written in their only valid form. */
function compactOf(envelope: string): string {
  if (envelope.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(envelope)) throw malformed('it is not base64 with padding');
  const unpadded = envelope.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
  const jws = asciiOf(base64url.decode(unpadded));
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jws)) throw malformed('it holds no compact JWS');
  // Stray bits would allow two texts of one envelope.
  if ([unpadded, ...jws.split('.')].some(hasStrayBits)) throw malformed('its base64 has stray bits');
  return jws;
}

/** Returns whether base64 without padding has bits at its end that decode to nothing, or one character too many. */
function hasStrayBits(base64: string): boolean {
  const last = base64.at(-1) ?? '';
  switch (base64.length % 4) {
    case 1:
      return true;
    case 2:
      return !'AQgw'.includes(last);
    case 3:
      return !'AEIMQUYcgkosw048'.includes(last);
    default:
      return false;
  }
}

function readHeader(jws: string, type: string, path: string): { kid?: string | undefined } {
  if (jws.indexOf('.') > HEADER_MAX_CHARS) throw new Refusal(texts.envelopeMalformed('its header has more than it may', path));
  const header = headerSchema(type).safeParse(attempt(() => decodeProtectedHeader(jws), 'its header is not JSON'));
  if (header.success) return header.data;
  throw new Refusal(texts.envelopeMalformed(problemOf(header.error, 'header'), path));
}

/**
 * Reads the claims of a JWS, unchecked. Python writes NaN and Infinity, which are not JSON.
 * @returns the claims, with null for such a number, and the first of them
 */
function readClaims<T extends z.ZodType>(jws: string, schema: T, path: string): { claims: z.output<T>; special: string | null } {
  // Examined byte by byte, which is enough for the structure of JSON.
  const text = asciiOf(attempt(() => base64url.decode(jws.split('.')[1] ?? ''), 'its claims are not a JSON object'));
  if (tooIntricate(text) !== null)
    throw new Refusal(texts.envelopeMalformed('its claims hold too many values, or too deep', path));
  let special: string | null = null;
  const read = (): unknown => {
    try {
      return decodeJwt(jws);
    } catch (reason) {
      special = specialNumberIn(text);
      if (special === null) throw reason;
      return JSON.parse(withNullForSpecials(text));
    }
  };
  const claims = schema.safeParse(attempt(read, 'its claims are not a JSON object'));
  if (claims.success) return { claims: claims.data, special };
  const at = [path, claims.error.issues[0]?.path.join('.') ?? ''].filter((part) => part !== '').join('.');
  throw new Refusal(texts.envelopeMalformed(problemOf(claims.error, path === '' ? 'claims' : path), at));
}

/** Names the place of the first problem, using only names of the contract: foreign names are not repeated. */
function problemOf(error: z.ZodError, where: string): string {
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') return `its ${where} has more than it may`;
  const place = issue?.path.filter((part) => typeof part === 'string').join('.') ?? '';
  return place === '' ? `its ${where} is not an object` : `"${place}" in its ${where} is not what it must be`;
}

function checkSpan({ iat, exp }: EnvelopeClaims): void {
  if (exp <= iat) throw malformed('it ends before it was issued', 'exp');
  // A thousandth for the rounding of fractions.
  if (exp - iat > ENVELOPE_MAX_LIFE_S + 0.001) throw malformed(`it is good for longer than ${ENVELOPE_MAX_LIFE_S} s`, 'exp');
}

async function verifyGrant(token: string, { trustedKeys, memory }: OpeningContext): Promise<VerifiedGrant> {
  const trusted = trustedKeys()?.keys ?? [];
  if (trusted.length === 0) throw new Refusal(texts.envelopeWrongKey('no_trusted_keys'));
  const known = memory.grants.get(token);
  if (known && trusted.some(({ x }) => x === known.signedWith.x)) return known;
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw malformed('its grant is not a compact JWS', 'grant');
  const { kid } = readHeader(token, GRANT_TYPE, 'grant');
  const { claims, special: noNumber } = readClaims(token, grantClaimsSchema, 'grant');
  if (noNumber !== null) throw malformed(`its grant holds ${noNumber}, which is not JSON`, 'grant');
  for (const signedWith of trusted) {
    if (kid !== undefined && signedWith.kid !== undefined && kid !== signedWith.kid) continue;
    if (!(await isSignedBy(token, signedWith))) continue;
    const grant = { claims, signedWith, key: await importKey(claims.cnf.jwk) };
    if (memory.grants.size >= GRANTS_KEPT) memory.grants.delete(memory.grants.keys().next().value ?? '');
    memory.grants.set(token, grant);
    return grant;
  }
  throw new Refusal(texts.envelopeWrongKey('grant'));
}

async function isSignedBy(token: string, signer: ControlKey): Promise<boolean> {
  // The room's metadata may contain keys of other kinds.
  if (!controlKeySchema.safeParse(signer).success) return false;
  try {
    await verify(token, await importKey(signer), 'grant');
    return true;
  } catch (reason) {
    if (reason instanceof Refusal && reason.error.code === 'ENVELOPE_WRONG_KEY') return false;
    throw reason;
  }
}

async function importKey(key: ControlKey): Promise<CryptoKey> {
  try {
    // Only the relevant members: `use`, `key_ops` and `ext` of a foreign key are not obeyed.
    const { kty, crv, x } = key;
    return (await importJWK({ kty, crv, x }, 'EdDSA')) as CryptoKey;
  } catch {
    throw new Refusal(texts.noEd25519());
  }
}

/** @throws Refusal when the key has not signed the JWS */
async function verify(jws: string, key: CryptoKey, what: 'grant' | 'envelope'): Promise<void> {
  try {
    await compactVerify(jws, key, { algorithms: [...CONTROL_ALGORITHMS] });
  } catch (error) {
    if (error instanceof jose.JWSSignatureVerificationFailed) throw new Refusal(texts.envelopeWrongKey(what));
    if (error instanceof jose.JOSEError) throw malformed('its signature cannot be read', what === 'grant' ? 'grant' : undefined);
    throw new Refusal(texts.noEd25519());
  }
}

function checkBinding(claims: EnvelopeClaims, grant: GrantClaims, { robotId, session }: OpeningContext): void {
  if (claims.robot_id !== robotId || grant.robot_id !== robotId) throw new Refusal(texts.envelopeWrongRobot(robotId));
  if (claims.session !== session || grant.session !== session) throw new Refusal(texts.envelopeWrongSession(session));
}

function checkTime(claims: EnvelopeClaims, grant: GrantClaims, nowMs: number, startedMs: number): void {
  // Fractions of seconds are not exact.
  const [issuedMs, endsMs, grantEndsMs] = [claims.iat, claims.exp, grant.exp].map((s) => Math.round(s * 1_000)) as [
    number,
    number,
    number,
  ];
  if (nowMs >= grantEndsMs) throw new Refusal(texts.grantExpired(nowMs - grantEndsMs, nowMs));
  if (nowMs > endsMs + ENVELOPE_CLOCK_TOLERANCE_MS) throw new Refusal(texts.envelopeStale('expired', nowMs - endsMs, nowMs));
  if (issuedMs > nowMs + ENVELOPE_CLOCK_TOLERANCE_MS) {
    throw new Refusal(texts.envelopeStale('from_the_future', issuedMs - nowMs, nowMs));
  }
  if (issuedMs < startedMs) throw new Refusal(texts.envelopeStale('before_start', startedMs - issuedMs, nowMs));
}

/** Checks the number of the holder's key, so that an envelope sealed under one grant is not accepted after one under the next. */
function checkSequence(
  sequence: number,
  holderKey: string,
  nowMs: number,
  kind: CommandKind,
  { memory: { replay }, isOvertaken = false }: OpeningContext,
): void {
  const isStop = kind === 'stop';
  const isUndone = isOvertaken && overtakes('stop', kind);
  switch (replay.take(holderKey, sequence, nowMs, isStop, isStop || isOvertaken)) {
    case 'replayed':
      throw new Refusal(texts.envelopeReplayed(sequence));
    case 'out_of_order':
      throw new Refusal(isUndone ? texts.envelopeOvertaken(sequence) : texts.envelopeOutOfOrder(sequence));
    case 'too_many_keys':
      throw new Refusal(texts.tooManyHolders());
    case 'new':
      if (isUndone) throw new Refusal(texts.envelopeOvertaken(sequence));
  }
}

const malformed = (problem: string, path?: string): Refusal => new Refusal(texts.envelopeMalformed(problem, path));

function attempt<T>(read: () => T, problem: string): T {
  try {
    return read();
  } catch {
    throw malformed(problem);
  }
}
