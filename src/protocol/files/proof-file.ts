import { z } from 'zod';
import { boundedArray } from '../wire/bounded-array.ts';
import { RPC_PAYLOAD_MAX_BYTES, STEPS_PER_SECOND } from '../wire/limits.ts';
import { ownerOrderSchema } from '../wire/owner-order.ts';
import { RUNTIME_PROFILES } from '../wire/profile.ts';
import { ROBOT_IDS } from '../wire/robot.ts';
import { taskFileSchema } from './task-file.ts';
import { verdictSchema } from './verdict.ts';

/**
 * The proof of a run: one small file from which the run is simulated again. It contains each input of the robot with the step
 * before which it came, and at intervals a few digits of the world's hash. The verifier trusts no part of it. Each fact is stated
 * in exactly one way.
 */

export const PROOF_FORMAT = 'simplesim.proof/2';
/** The largest file that is read. */
export const PROOF_MAX_BYTES = 4 * 1024 * 1024;
/** How deep lists and objects of a proof may be nested, and how many values it may have. */
export const PROOF_MAX_DEPTH = 80;
export const PROOF_MAX_VALUES = 1_000_000;
/** The longest run: two hours of simulated time. */
export const PROOF_STEPS_MAX = 2 * 3600 * STEPS_PER_SECOND;
/** The maximum length of a run on its clock, and of a pause in it: 30 days, in milliseconds. */
export const PROOF_CLOCK_MAX_MS = 30 * 24 * 3600 * 1000;
export const PROOF_INPUTS_MAX = 50_000;
export const PROOF_CALLERS_MAX = 1_000;
export const PROOF_CALLS_MAX = 20_000;
const INPUTS_AT_ONCE_MAX = 1_000;
const INPUTS_PER_STEP_MAX = 10;
/**
 * Returns how many inputs a run may have had after this many steps: the work of verifying it stays in proportion to its steps.
 */
export const proofInputsMax = (steps: number): number => INPUTS_AT_ONCE_MAX + INPUTS_PER_STEP_MAX * steps;
/** A digest is this many hexadecimal digits of the world's state hash. */
export const DIGEST_DIGITS = 6;
/** A digest is taken every this many steps at first, a quarter of a second. */
export const DIGEST_EVERY_STEPS = STEPS_PER_SECOND / 4;
/** When there are more digests than this, every second one is removed and the interval doubles, so the file stays small. */
export const DIGESTS_MAX = 1_200;

const id = z.string().min(1).max(512);
/** A name, an id or words from outside, of any length; the size of the file limits it. */
const name = z.string().max(PROOF_MAX_BYTES);
const hash = z.string().regex(/^[0-9a-f]{16}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The source of an input, as the runtime knew it. */
const proofCallerSchema = z.strictObject({
  identity: name.nullable().describe("identity of the participant who brought it; null: the robot's own page"),
  agent: z.literal(true).optional().describe("an agent in the browser of the robot's own page; then there is no participant"),
  holder: name.optional().describe('of a signed call: its signer'),
  grant_id: name.optional().describe('of a signed call: the grant that it was signed with'),
  robot: name.optional().describe("the robot's own software, in words; then there is no participant"),
  service: name.optional().describe('the control service, in its words; then there is no participant'),
});
export type ProofCaller = z.infer<typeof proofCallerSchema>;

/** A call as it reached the runtime. */
const proofCallSchema = z.strictObject({
  method: z.string().min(1).max(64),
  caller: z.int().min(0).describe('index in `callers`'),
  payload: z.json().optional().describe('the payload as a value of JSON; absent when it was empty, or stands in `text`'),
  text: z.string().max(RPC_PAYLOAD_MAX_BYTES).optional().describe('the payload when no value of JSON is the same: only then'),
});
export type ProofCall = z.infer<typeof proofCallSchema>;

const step = z.int().min(0).max(PROOF_STEPS_MAX).describe('steps made before it');
const index = z.int().min(0);

/** Every input of the run, each with the number of steps made before it. */
const proofInputSchema = z.union([
  z.tuple([step, z.literal('call'), index]).describe('a call; its index in `calls`'),
  z.tuple([step, z.literal('heard')]).describe('a call that only reads, by the one who drives: a sign of life'),
  z
    .tuple([step, z.literal('clock'), z.number().min(0).max(PROOF_CLOCK_MAX_MS)])
    .describe("the run's clock was set to these milliseconds since its start"),
  z
    .tuple([step, z.literal('suspended'), z.number().min(0).max(PROOF_CLOCK_MAX_MS)])
    .describe('the runtime stood still for these milliseconds'),
  z.tuple([step, z.literal('left'), name]).describe('a participant left'),
  z.tuple([step, z.literal('owner_order'), ownerOrderSchema]).describe("an order of the robot's owner"),
  z.tuple([step, z.literal('stop'), index]).describe('the stop of the page; who, as an index in `callers`'),
  z
    .tuple([step, z.literal('emergency_stop'), index, name.nullable(), name.nullable()])
    .describe('the emergency stop: who as an index in `callers`, the reason, and the id of the press'),
  z.tuple([step, z.literal('released')]).describe('a person released the emergency stop'),
]);
export type ProofInput = z.infer<typeof proofInputSchema>;

export const proofFileSchema = z.strictObject({
  format: z.literal(PROOF_FORMAT),
  product_version: z.string().max(64),
  sim_protocol: z.int().describe('version of the behaviour of the simulation'),
  engine: z.string().max(64).describe('version of the physics engine'),
  scene: z.strictObject({
    id,
    sha256: sha256.describe('of the scene as the simulation uses it'),
    file: z.json().optional().describe('the file of a scene that does not come with the product'),
  }),
  task: taskFileSchema.optional().describe('absent: a run without a task'),
  seed: z.int().min(0).max(0xffff_ffff).describe("seed of the run; that of its world follows from it and the task's `given`"),
  robot: z.enum(ROBOT_IDS),
  profile: z.enum(RUNTIME_PROFILES),
  signed_control_required: z.boolean().optional().describe('of the profile `worker`'),
  started_at_ms: z.int().describe('when it began, milliseconds since the epoch'),
  life_id: id.optional().describe('what orders of the owner name; absent when there was none'),
  ids: id.describe('the beginning of the ids of actions whose caller chose none'),
  callers: boundedArray(proofCallerSchema, PROOF_CALLERS_MAX),
  calls: boundedArray(proofCallSchema, PROOF_CALLS_MAX).describe('the calls, each different one once'),
  inputs: boundedArray(proofInputSchema, PROOF_INPUTS_MAX),
  steps: z.int().min(0).max(PROOF_STEPS_MAX).describe('steps that were made'),
  digests: z.strictObject({
    every_steps: z.int().min(DIGEST_EVERY_STEPS).max(PROOF_STEPS_MAX),
    hex: z
      .string()
      .max(DIGESTS_MAX * DIGEST_DIGITS)
      .regex(/^[0-9a-f]*$/)
      .describe("the first digits of the world's state hash after each such interval"),
  }),
  end_hash: hash.describe("the world's state hash at the end"),
  verdict: verdictSchema.optional().describe('of the task'),
  sha256: sha256.describe('of this file without this member: distinguishes a damaged file from a false one'),
});
export type ProofFile = z.infer<typeof proofFileSchema>;
