/**
 * Signed control: the claims of a grant and an envelope. A grant is a JWT of the control service: "the holder of this key may
 * command this robot in this session until then". An envelope is a JWT of that holder around one call. Claims keep the registered
 * names of JWT (RFC 7519: `sub` the holder, `jti` the id of the grant, `iat`, `exp`) and of proof of possession (RFC 7800:
 * `cnf.jwk`).
 */
import { z } from 'zod';
import { MAX_DATE_S } from '../wire/limits.ts';
import { openObject } from '../wire/open-object.ts';

export const GRANT_TYPE = 'control-grant+jwt';
export const ENVELOPE_TYPE = 'control-envelope+jwt';
/**
 * Both name Ed25519 with a key whose curve is checked: `Ed25519` is the name of RFC 9864, `EdDSA` the older one, which every
 * library knows and which is therefore used for signing here.
 */
export const CONTROL_ALGORITHMS = ['EdDSA', 'Ed25519'] as const;
export const SIGNING_ALGORITHM = 'EdDSA';
/** The method that takes envelopes. */
export const ENVELOPE_METHOD = 'runtime.forward_envelope';
/** The methods that an envelope may contain: the calls that command the body, and the one that changes the driver. */
export const ENVELOPE_METHODS = ['runtime.tools_call', 'runtime.cancel', 'runtime.emergency_stop', 'runtime.control'] as const;

/** Longest time from the issue of an envelope to its end: a packet that was held back longer must not move the robot. */
export const ENVELOPE_MAX_LIFE_S = 5;
/**
 * Machines that keep time by NTP are well within a second of each other. This is twice that, so that a loaded machine is not
 * rejected.
 */
export const ENVELOPE_CLOCK_TOLERANCE_MS = 2_000;
export const GRANT_DEFAULT_TTL_S = 3_600;
export const HOLDER_MAX_LENGTH = 128;
/** The name under which the service itself sends signed calls; no other grant has it. */
export const SERVICE_HOLDER = 'control-service';

/** An Ed25519 public key (RFC 8037). Other members, such as `use` and `alg`, are ignored. */
export const controlKeySchema = z
  .object({
    kty: z.literal('OKP').describe('The kind of key; always `OKP`'),
    crv: z.literal('Ed25519').describe('The curve; always `Ed25519`'),
    // 32 bytes are 43 characters, of which the last stands for four bits.
    x: z
      .string()
      .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)
      .describe('The public key: 32 bytes in base64url'),
    kid: z.string().max(128).optional().describe('Name of the key: its thumbprint (RFC 7638)'),
  })
  .meta({ id: 'ControlKey' });
export type ControlKey = z.infer<typeof controlKeySchema>;

/** A set of public keys as RFC 7517 has it. */
export const controlKeysSchema = z.object({ keys: z.array(controlKeySchema).max(16).describe('Public keys') });
export type ControlKeys = z.infer<typeof controlKeysSchema>;

/** A header may contain nothing else: an unknown member must not be ignored (RFC 7515, `crit`). */
export const headerSchema = <T extends string>(type: T) =>
  z.strictObject({ alg: z.enum(CONTROL_ALGORITHMS), typ: z.literal(type), kid: z.string().max(128).optional() });

const name = z.string().min(1).max(256);
/** Seconds since the epoch; JWT allows fractions. */
const numericDate = z.number().nonnegative().max(MAX_DATE_S);

export const grantClaimsSchema = z.object({
  jti: name,
  sub: z.string().min(1).max(HOLDER_MAX_LENGTH),
  robot_id: name,
  session: name,
  cnf: z.object({ jwk: controlKeySchema }),
  iat: numericDate,
  exp: numericDate,
});
export type GrantClaims = z.infer<typeof grantClaimsSchema>;

export const envelopeClaimsSchema = z.strictObject({
  robot_id: name,
  session: name,
  seq: z.int().min(1),
  iat: numericDate,
  exp: numericDate,
  call: z.strictObject({ method: z.enum(ENVELOPE_METHODS), payload: openObject() }),
  grant: z.string().max(4_096),
});
export type EnvelopeClaims = z.infer<typeof envelopeClaimsSchema>;
export type EnvelopeMethod = (typeof ENVELOPE_METHODS)[number];
