import { describe, expect, it } from 'vitest';
import { JOINT_INDEX, JOINTS } from '../../src/protocol/robots/humanoid.ts';
import { ERROR_CODES, errorDetailsSchema, runtimeError } from '../../src/protocol/wire/error-codes.ts';
import { isRuntimeIdentity } from '../../src/protocol/wire/identity.ts';
import { fitsRpc, parsePayload, roundDeep, utf8Bytes } from '../../src/protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/wire/limits.ts';
import { skillDescriptor, skillDescriptorSchema, skillDescriptors } from '../../src/protocol/wire/skill-descriptors.ts';
import { SKILL_NAMES, SKILLS } from '../../src/protocol/wire/skills.ts';

describe('skills', () => {
  it('the catalogue contains exactly the skills of the wire contract', () => {
    expect([...SKILL_NAMES].sort()).toEqual(
      [
        'cancel',
        'configure_benchmark',
        'go_to',
        'look_at',
        'pick_entity',
        'place_entity',
        'reset',
        'select_scene',
        'set_color_mode',
        'set_head',
        'set_sim_speed',
        'set_velocity',
      ].sort(),
    );
  });
  it('the list of skill descriptions fits one RPC reply of the oldest clients', () => {
    expect(fitsRpc(JSON.stringify(skillDescriptors()))).toBe(true);
  });
  for (const name of SKILL_NAMES) {
    it(`${name} has a valid descriptor that rejects unknown properties`, () => {
      const descriptor = skillDescriptorSchema.parse(skillDescriptor(name));
      expect(descriptor.input_schema).toMatchObject({ type: 'object', additionalProperties: false });
    });
  }
  it('each field has a description of its own, because details.allowed of a rejection shows it alone', () => {
    for (const descriptor of skillDescriptors()) expect(JSON.stringify(descriptor)).not.toMatch(/see (?:above|below)/);
  });
  it('set_velocity has the defaults of the specification', () => {
    expect(SKILLS.set_velocity.input.parse({})).toEqual({ vx: 0, vy: 0, wz: 0, duration_s: 0.5 });
  });
  it('every number field rejects numbers that are not finite', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, '1', null])
      expect(SKILLS.set_velocity.input.safeParse({ vx: bad }).success).toBe(false);
  });
});

describe('errors (P4)', () => {
  for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]) {
    it(`P4 ${code} names stage, attempted, world_changed and retryable`, () => {
      const error = runtimeError(code, 'A sentence.', { attempted: true, worldChanged: 'yes', remaining_m: 1 });
      expect(errorDetailsSchema.parse(error.details)).toMatchObject({
        stage: ERROR_CODES[code].stage,
        attempted: true,
        world_changed: 'yes',
        remaining_m: 1,
      });
      expect(ERROR_CODES[code].summary).toMatch(/\.$/);
      expect(ERROR_CODES[code].remedy).toMatch(/\.$/);
    });
  }
});

describe('payload text', () => {
  it('an empty payload counts as an empty object', () => expect(parsePayload(' \n')).toEqual({ ok: true, value: {} }));
  it('a rejected payload names NaN and Infinity, but not those inside strings', () => {
    expect(parsePayload('{"a": NaN}')).toMatchObject({ ok: false, reason: expect.stringContaining('NaN') });
    expect(parsePayload('{"a": -Infinity}')).toMatchObject({ ok: false, reason: expect.stringContaining('-Infinity') });
    expect(parsePayload('{"a": "NaN" x}')).toMatchObject({ ok: false, reason: expect.stringContaining('not JSON') });
  });
  it('the length of a payload counts bytes as UTF-8 does', () => {
    for (const text of ['', 'abc', 'é', '€', '😀', 'a€😀é']) expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    expect(fitsRpc('x'.repeat(RPC_PAYLOAD_MAX_BYTES))).toBe(true);
    expect(fitsRpc('x'.repeat(RPC_PAYLOAD_MAX_BYTES + 1))).toBe(false);
  });
  it('rounding keeps 0.1 mm and whole numbers, without a negative zero', () => {
    expect(roundDeep({ a: [1.23456789, -0.00001], b: 12345678901, c: null, d: 'x' })).toEqual({
      a: [1.2346, 0],
      b: 12345678901,
      c: null,
      d: 'x',
    });
  });
});

describe('identities', () => {
  it('a runtime’s identity is its name, or its name followed by - or :', () => {
    expect(
      ['simplesim', 'simplesim:r1', 'simplesim-r1', 'simplesimx', 'xsimplesim', ''].map((identity) =>
        isRuntimeIdentity(identity),
      ),
    ).toEqual([true, true, true, false, false, false]);
  });
});

describe('robot model', () => {
  it('the robot model has 23 joints in policy order, and the head apart', () => {
    expect(JOINTS).toHaveLength(25);
    expect(JOINTS[JOINT_INDEX.waist]?.name).toBe('waist_yaw');
    expect(JOINTS.slice(JOINT_INDEX.rightArm, JOINT_INDEX.rightArm + 5).map((joint) => joint.name)).toEqual([
      'right_shoulder_pitch',
      'right_shoulder_roll',
      'right_shoulder_yaw',
      'right_elbow',
      'right_wrist_yaw',
    ]);
    expect(JOINTS[JOINT_INDEX.headPitch]?.name).toBe('head_pitch');
  });
  it('every parent link is moved by an earlier joint or is the root', () => {
    const known = new Set(['pelvis']);
    for (const joint of JOINTS) {
      expect(known.has(joint.parentLink), joint.name).toBe(true);
      known.add(joint.link);
      expect(joint.minRad).toBeLessThan(joint.maxRad);
    }
  });
});
