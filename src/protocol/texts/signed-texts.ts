import { ENVELOPE_CLOCK_TOLERANCE_MS, ENVELOPE_MAX_LIFE_S, ENVELOPE_METHODS } from '../signed/signed-claims.ts';
import { type RuntimeError, runtimeError } from '../wire/error-codes.ts';

/**
 * The sentences of rejected envelopes; see error-texts.ts. None repeats any part of an envelope that could be forged into a
 * message.
 */

export const envelopeMalformed = (problem: string, path?: string): RuntimeError =>
  runtimeError('ENVELOPE_MALFORMED', `This runtime cannot read the envelope: ${problem}. Sign the call again.`, {
    ...(path === undefined || path === '' ? {} : { path }),
    ...(path === 'call.method' ? { allowed: ENVELOPE_METHODS } : {}),
  });

export const envelopeWrongKey = (reason: 'no_trusted_keys' | 'grant' | 'envelope'): RuntimeError =>
  runtimeError('ENVELOPE_WRONG_KEY', WRONG_KEY[reason], { signed: reason === 'no_trusted_keys' ? 'nothing' : reason });
const WRONG_KEY = {
  no_trusted_keys:
    'This runtime does not know which control service to trust: the metadata of its room has no control_keys. Open the session with a control service that issues grants.',
  grant:
    'The grant in this envelope is not signed by a control service that this runtime trusts. Ask the control service of this room for a grant.',
  envelope:
    'This envelope is not signed with the key that its grant names. Sign with the private key that belongs to the public key you asked the grant for.',
};

export const envelopeWrongRobot = (robotId: string): RuntimeError =>
  runtimeError('ENVELOPE_WRONG_ROBOT', `This envelope, or its grant, is for another robot; this one is ${robotId}.`, {
    robot_id: robotId,
  });

export const envelopeWrongSession = (session: string): RuntimeError =>
  runtimeError(
    'ENVELOPE_WRONG_SESSION',
    `This envelope, or its grant, is for another session; this one is ${session}. Ask for a grant of this session.`,
    { session },
  );

/** @param facts by the runtime's clock; `now_ms` shows callers how far their own clock is off */
export const envelopeStale = (
  reason: 'expired' | 'from_the_future' | 'before_start',
  offByMs: number,
  nowMs: number,
): RuntimeError =>
  runtimeError(
    'ENVELOPE_STALE',
    {
      expired: `This envelope expired ${seconds(offByMs)} ago. Sign the call again and send it at once. If that does not help, set your clock.`,
      from_the_future: `This envelope was issued ${seconds(offByMs)} in the future, by the clock of this runtime. Set the clock of the sender, or use now_ms from the details.`,
      before_start: `This envelope was issued ${seconds(offByMs)} before this runtime started, and the previous runtime may have carried it out. Sign the call again.`,
    }[reason],
    {
      reason,
      now_ms: Math.round(nowMs),
      allowed: { max_life_s: ENVELOPE_MAX_LIFE_S, clock_tolerance_s: ENVELOPE_CLOCK_TOLERANCE_MS / 1000 },
    },
  );
const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`;

export const envelopeReplayed = (sequence: number): RuntimeError =>
  runtimeError(
    'ENVELOPE_REPLAYED',
    `The sequence number ${sequence} was used before with this key. Use a greater one for each envelope, also when you repeat a call.`,
    { seq: sequence },
  );

export const envelopeOutOfOrder = (sequence: number): RuntimeError =>
  runtimeError(
    'ENVELOPE_OUT_OF_ORDER',
    `An envelope with a greater sequence number than ${sequence} was accepted before this one. Send envelopes in the order of their numbers.`,
    { seq: sequence },
  );

/** For a call that waited while a later stop was accepted: it would set the robot in motion again. */
export const envelopeOvertaken = (sequence: number): RuntimeError =>
  runtimeError(
    'ENVELOPE_OUT_OF_ORDER',
    'A stop that was sent after this envelope was carried out first, so the call in it is not carried out. Sign the call again only if you still want it.',
    { seq: sequence, reason: OVERTAKEN },
  );

export const grantExpired = (endedMsAgo: number, nowMs: number): RuntimeError =>
  runtimeError(
    'GRANT_EXPIRED',
    `The grant of this envelope expired ${seconds(endedMsAgo)} ago. Ask the control service for a new one.`,
    {
      now_ms: Math.round(nowMs),
    },
  );

/** `details.reason` of a rejection because a stop that was sent later was carried out first. */
export const OVERTAKEN = 'overtaken';

/** `details.reason` of a rejection for lack of room: the same call, sealed again, is accepted a little later. */
export const CROWDED = 'crowded';

export const tooManyHolders = (): RuntimeError =>
  runtimeError('NOT_READY', 'Too many holders of keys send calls at the same time. Send it again in ten seconds.', {
    reason: CROWDED,
  });

export const tooManyEnvelopes = (waiting: number): RuntimeError =>
  runtimeError(
    'NOT_READY',
    `${waiting} envelopes wait to be opened: they arrive faster than this machine can read them. Send fewer.`,
    { reason: CROWDED, waiting },
  );

export const noEd25519 = (): RuntimeError =>
  runtimeError(
    'INTERNAL',
    'This runtime cannot check signatures: its browser has no Ed25519 here. Open the page over https, or on localhost, in Chrome 137 or newer.',
  );
