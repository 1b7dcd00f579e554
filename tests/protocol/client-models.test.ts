/**
 * Our schemas promise what existing clients accept: every value of our schemas is valid for the clients' schemas, and every
 * request of the clients is valid for ours.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as http from '../../src/protocol/client-models/http.ts';
import * as rpc from '../../src/protocol/client-models/rpc.ts';
import * as requests from '../../src/protocol/service/control-requests.ts';
import * as service from '../../src/protocol/service/control-service.ts';
import { errorSchema } from '../../src/protocol/service/face-answers.ts';
import * as action from '../../src/protocol/wire/action.ts';
import * as captures from '../../src/protocol/wire/captures.ts';
import { runtimeErrorSchema } from '../../src/protocol/wire/error-codes.ts';
import { poseSchema } from '../../src/protocol/wire/geometry.ts';
import { withoutNulls } from '../../src/protocol/wire/methods.ts';
import * as scene from '../../src/protocol/wire/scene.ts';
import { skillDescriptorSchema } from '../../src/protocol/wire/skill-descriptors.ts';
import * as state from '../../src/protocol/wire/state.ts';
import { type JsonSchema, whyNotWithin } from '../client-models/within.ts';

const describeOutput = (schema: z.ZodType): JsonSchema => asJsonSchema(schema, 'output');
const describeInput = (schema: z.ZodType): JsonSchema => asJsonSchema(schema, 'input');

function asJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  /** Named schemas at their places. */
  const inline = (_name: string, value: unknown): unknown => {
    const name = /^#\/\$defs\/(.+)$/.exec(String((value as { $ref?: unknown } | null)?.$ref))?.[1];
    return name === undefined ? value : ($defs[name] ?? value);
  };
  return JSON.parse(JSON.stringify(root, inline));
}

describe('every value of our schemas is one that clients accept', () => {
  it.each<[string, z.ZodType, z.ZodType]>([
    ['a robot', service.libraryRobotSchema, http.clientRobotSchema],
    ['a created robot', service.LIBRARY_READS.created, http.clientCreatedRobotSchema],
    ['a page of robots', service.LIBRARY_READS.robots, http.clientRobotPageSchema],
    ['a session', service.librarySessionSchema, http.clientSessionSchema],
    ['the metadata of a room', service.roomMetadataSchema, http.clientRoomMetadataSchema],
    ['a participant token', service.participantTokenResultSchema, http.clientParticipantTokenSchema],
    ['an error of the service', errorSchema, http.clientErrorSchema],
    ['a skill descriptor', skillDescriptorSchema, rpc.clientSkillDescriptorSchema],
    [
      'an action result',
      action.actionResultSchema.omit({ runtime_state: true, scene_state: true }),
      rpc.clientActionResultSchema,
    ],
    ['a guard', action.guardSchema, rpc.clientGuardSchema],
    ['an error of the runtime', runtimeErrorSchema, rpc.clientRuntimeErrorSchema],
    ['the state', state.runtimeStateSchema, rpc.clientRuntimeStateSchema],
    ['an active action', state.activeActionSchema, rpc.clientActiveActionSchema],
    ['a last action', state.lastActionSchema, rpc.clientLastActionSchema],
    ['a pose', poseSchema, rpc.clientPoseSchema],
    ['a time', scene.timestampSchema, rpc.clientTimestampSchema],
    ['the scene', scene.sceneStateSchema, rpc.clientSceneStateSchema],
    ['the layout', scene.sceneLayoutSchema, rpc.clientSceneLayoutSchema],
    ['a capture', captures.captureResultSchema, rpc.clientCaptureSchema],
  ])('%s', (_, ours, theirs) => {
    expect(whyNotWithin(describeOutput(ours), describeInput(theirs))).toEqual([]);
  });

  it('the comparison of schemas detects differences', () => {
    const differs = (ours: z.ZodType, theirs: z.ZodType) => whyNotWithin(describeOutput(ours), describeInput(theirs));
    expect(differs(z.object({ a: z.number() }), z.looseObject({ a: z.int() }))).toEqual(['a: number is no integer']);
    expect(differs(z.object({ a: z.string().nullable() }), z.looseObject({ a: z.string() }))).toEqual(['a: null is no string']);
    expect(differs(z.object({ a: z.string().optional() }), z.looseObject({ a: z.string() }))).toEqual(['a: may be missing']);
    expect(differs(z.object({}), z.looseObject({ a: z.string() }))).toEqual(['a: may be missing']);
    expect(differs(z.object({ a: z.string() }), z.looseObject({ a: z.enum(['x']) }))).toEqual([
      'a: any string is not one of "x"',
    ]);
    expect(differs(z.enum(['x', 'y']), z.enum(['x']))).toEqual(['the whole: "y" is not one of "x"']);
    expect(differs(z.array(z.string()), z.looseObject({}))).toEqual(['the whole: array is no object']);
    expect(differs(z.array(z.number()), z.array(z.int()))).toEqual(['[]: number is no integer']);
    expect(differs(z.tuple([z.number()]), z.tuple([z.number(), z.number()]))).toEqual(['the whole: 1 items are not 2']);
    expect(differs(z.array(z.number()), z.tuple([z.number()]))).toEqual(['the whole: any number of items is not 1']);
    expect(differs(z.record(z.string(), z.number()), z.record(z.string(), z.int()))).toEqual(['*: number is no integer']);
    expect(differs(z.union([z.string(), z.number()]), z.string())).toEqual(['the whole: number is no string']);
    expect(differs(z.unknown(), z.string())).toEqual(['the whole: anything is no string']);
  });
});

describe('every request of existing clients is accepted', () => {
  const nulls = (schema: z.ZodObject) => Object.fromEntries(Object.keys(schema.shape).map((field) => [field, null]));

  it.each<[string, z.ZodObject, z.ZodType, object]>([
    ['create', http.clientCreateRobotSchema, requests.libraryCreateRobotSchema, { name: 'a', model: 'b' }],
    ['update', http.clientUpdateRobotSchema, requests.libraryUpdateRobotSchema, {}],
    ['session', http.clientSessionRequestSchema, requests.createSessionSchema, {}],
    [
      'participant token',
      http.clientParticipantTokenRequestSchema,
      requests.participantTokenSchema,
      { participant_identity: 'a' },
    ],
  ])('%s: accepted with only the required fields, with null for the others, and with every field', (_, theirs, ours, least) => {
    const whole = {
      name: 'n'.repeat(255),
      model: '😀'.repeat(255),
      description: 'd'.repeat(2_000),
      language: 'zh-tw',
      voice: 'mms',
      workers: { rcw: { count: 1, enabled: true } },
      scene_id: 'warehouse',
      worker_names: Array.from({ length: 16 }, (_unused, index) => `worker-${index}`),
      rsl_session_grant: 'Z3JhbnQ=',
      rsl_session_pub: 'cHVibGlj',
      participant_identity: 'i'.repeat(256),
      participant_name: 'p',
      ttl_seconds: 60,
    };
    const fields = Object.keys(theirs.shape);
    const every = Object.fromEntries(Object.entries(whole).filter(([field]) => fields.includes(field)));
    for (const request of [least, { ...nulls(theirs), ...least }, every]) {
      expect(theirs.parse(request)).toEqual(request);
      expect(ours.safeParse(request).error).toBeUndefined();
    }
  });

  it('capture options are accepted, also with null for absent values', () => {
    const selector = { kind: 'id', id: 'pov' };
    for (const options of [
      null,
      {},
      nulls(rpc.clientCaptureOptionsSchema),
      { width: 16, height: 1080, format: 'jpeg', quality: 1 },
    ]) {
      if (options) rpc.clientCaptureOptionsSchema.parse(options);
      const request = withoutNulls('runtime.cameras_capture', { selector, options, stream: null });
      expect(captures.captureRequestSchema.safeParse(request).error).toBeUndefined();
    }
  });
});
