/** Every number that a call may carry has a minimum and a maximum, or is in a short list with the reason for having none. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as service from '../../src/protocol/service/control-requests.ts';
import { envelopeClaimsSchema, grantClaimsSchema } from '../../src/protocol/signed/signed-claims.ts';
import { METHOD_REQUESTS } from '../../src/protocol/wire/methods.ts';
import { RCW_SKILLS } from '../../src/protocol/wire/rcw-skills.ts';
import { SKILLS } from '../../src/protocol/wire/skills.ts';
import { hostMessageSchema } from '../../src/viewer/embed/messages.ts';
import { atPose, createTestRuntime } from '../runtime/test-runtime.ts';

const CLAMPED = 'is clamped to what the robot can do, and the reply says so';
const CUT = 'is cut to the longest life there is';
const NOT_BOUNDED: Readonly<Record<string, string>> = {
  'set_velocity.vx': CLAMPED,
  'set_velocity.vy': CLAMPED,
  'set_velocity.wz': CLAMPED,
  'worker set_velocity.vx': CLAMPED,
  'worker set_velocity.vy': CLAMPED,
  'worker set_velocity.vyaw': CLAMPED,
  'worker set_upper_body.r_arm[]':
    'is not bounded by the physical robot either; servos press towards it up to the stop of the joint',
  'worker set_upper_body.l_arm[]': 'as the other arm',
  'participantTokenSchema.ttl_seconds': CUT,
  'controlGrantSchema.ttl_seconds': CUT,
};

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The numbers in a JSON Schema, by path, and those without a minimum and a maximum. */
function numbersOf(name: string, schema: unknown): { path: string; isBounded: boolean }[] {
  if (!isObject(schema)) return [];
  const own = [schema.type].flat().some((type) => type === 'number' || type === 'integer');
  const isBound = (value: unknown) => typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER;
  const isBounded =
    (isBound(schema.minimum) || isBound(schema.exclusiveMinimum)) &&
    (isBound(schema.maximum) || isBound(schema.exclusiveMaximum));
  const inner = (key: string): [string, unknown][] => (isObject(schema[key]) ? Object.entries(schema[key]) : []);
  const listed = (key: string): unknown[] => (Array.isArray(schema[key]) ? schema[key] : []);
  return [
    ...(own && !('const' in schema) ? [{ path: name, isBounded }] : []),
    ...inner('properties').flatMap(([key, value]) => numbersOf(`${name}.${key}`, value)),
    ...['oneOf', 'anyOf', 'allOf'].flatMap(listed).flatMap((branch) => numbersOf(name, branch)),
    ...listed('prefixItems').flatMap((item, index) => numbersOf(`${name}[${index}]`, item)),
    ...numbersOf(`${name}[]`, schema.items),
    ...numbersOf(`${name}.*`, schema.additionalProperties),
  ];
}

const inputOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
const requestsOfService = Object.entries(service).flatMap(([name, schema]): [string, z.ZodType][] =>
  schema instanceof z.ZodType && /(?:Query|Command|Claim|Token|Grant|create\w*|update\w*)Schema$/i.test(name)
    ? [[name, schema]]
    : [],
);
const ALL: readonly (readonly [string, z.ZodType])[] = [
  ...Object.entries(SKILLS).map(([name, { input }]) => [name, input] as const),
  ...Object.entries(RCW_SKILLS).map(([name, { input }]) => [`worker ${name}`, input] as const),
  ...Object.entries(METHOD_REQUESTS),
  ...requestsOfService,
  ['envelope', envelopeClaimsSchema],
  ['grant', grantClaimsSchema],
  ['host message', hostMessageSchema],
];

describe('numbers of calls', () => {
  const found = ALL.flatMap(([name, schema]) => numbersOf(name, inputOf(schema)));

  it('number fields are found in the skills of both profiles, the methods, the requests over HTTP, envelopes and messages', () => {
    const paths = found.map(({ path }) => path);
    for (const path of [
      'go_to.target.pose.position[2]',
      'select_scene.start_pose.orientation_xyzw[3]',
      'configure_benchmark.benchmark.seed',
      'worker set_upper_body.l_arm[]',
      'runtime.tools_call.options.deadline_s',
      'runtime.cameras_capture.options.quality',
      'sessionCommandSchema.deadline_s',
      'listQuerySchema.limit',
      'envelope.seq',
      'host message.eye[0]',
    ])
      expect(paths).toContain(path);
  });

  it('all number fields have a minimum and a maximum, except those that are listed with a reason', () => {
    const open = found.filter(({ isBounded }) => !isBounded).map(({ path }) => path);
    expect(open.filter((path) => path !== 'envelope.seq').sort()).toEqual(Object.keys(NOT_BOUNDED).sort());
  });
});

describe('an orientation', () => {
  const facing = (orientation: readonly number[]) => atPose(0.2, -3, 0, { orientation_xyzw: orientation });

  it.each([
    ['large', [0, 0, 1e160, 1e160], '1.414e+160'],
    ['larger than any square', [1e308, 1e308, 1e308, 1e308], 'Infinity'],
    ['nothing', [0, 0, 0, 0], '0'],
    ['tiny', [0, 0, 0, 5e-324], '5e-324'],
    ['a little too long', [0, 0, 0, 1.0101], '1.01'],
    ['a little too short', [0, 0, 0.7, 0.69], '0.9829'],
  ])('an orientation that is %s is rejected by its length, in every call that takes one', async (_what, orientation, length) => {
    const t = await createTestRuntime();
    const start = { scene_id: 'warehouse', start_pose: { position: [0.2, -3, 0], orientation_xyzw: orientation } };
    const calls: [string, unknown][] = [
      ['go_to', facing(orientation)],
      ['look_at', facing(orientation)],
      ['place_entity', facing(orientation)],
      ['select_scene', start],
    ];
    for (const [name, input] of calls) {
      const { reply } = t.start(name, input);
      expect(reply.error).toMatchObject({ code: 'INVALID_INPUT', details: { attempted: false, world_changed: 'no' } });
      expect(reply.error.message).toContain(`its length is ${length}`);
      expect(reply.error.message).toMatch(/Normalise it/);
      expect(reply.error.details.path).toMatch(/orientation_xyzw$/);
      expect(reply.error.details.allowed).toEqual({ length: { minimum: 0.99, maximum: 1.01 } });
    }
    expect(t.invoke('set_velocity', { vx: 0.4, duration_s: 0.5 })).toMatchObject({ status: 'done' });
  });

  it.each([0.9901, 1, 1.0099])(
    'an orientation of length %f is normalised: the heading is that of its direction',
    async (length) => {
      const t = await createTestRuntime();
      const quarter = [0, 0, Math.SQRT1_2 * length, Math.SQRT1_2 * length];
      const start = { scene_id: 'warehouse', start_pose: { position: [0.2, -3, 0], orientation_xyzw: quarter } };
      expect(t.invoke('select_scene', start)).toMatchObject({ status: 'done' });
      expect(t.read('runtime.state').robot.pose.yaw_deg).toBe(90);
      expect(SKILLS.go_to.input.parse(facing(quarter)).target).toMatchObject({
        pose: { orientation_xyzw: [0, 0, expect.closeTo(Math.SQRT1_2, 12), expect.closeTo(Math.SQRT1_2, 12)] },
      });
    },
  );
});
