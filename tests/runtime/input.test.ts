import { describe, expect, it } from 'vitest';
import { METHOD_NAMES } from '../../src/protocol/wire/methods.ts';
import { SKILL_NAMES } from '../../src/protocol/wire/skills.ts';
import { robotTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity, type PendingCall } from './test-runtime.ts';

type Malformed = [what: string, code: string, method: string, payload: unknown, says?: RegExp];
const tool = (name: string, input: unknown, options?: unknown) => ({
  name,
  input,
  ...(options === undefined ? {} : { options }),
});
const CALL = 'runtime.tools_call';
const CAPTURE = 'runtime.cameras_capture';
const pov = { kind: 'id', id: 'pov' };

const MALFORMED: Malformed[] = [
  ['not JSON', 'INVALID_INPUT', CALL, 'pick the cube', /not JSON/],
  ['half an object', 'INVALID_INPUT', CALL, '{"name": "set_head"'],
  ['NaN', 'INVALID_INPUT', CALL, '{"name":"set_velocity","input":{"vx":NaN}}', /NaN/],
  ['Infinity', 'INVALID_INPUT', CALL, '{"name":"set_velocity","input":{"vx":Infinity}}', /Infinity/],
  ['minus Infinity', 'INVALID_INPUT', CALL, '{"name":"set_velocity","input":{"vx":-Infinity}}', /-Infinity/],
  [
    'too large for a double',
    'INVALID_INPUT',
    CALL,
    '{"name":"set_velocity","input":{"vx":1e999}}',
    /"input.vx" must be a number; it is Infinity/,
  ],
  ['empty', 'INVALID_INPUT', CALL, '', /"name" must be a text of 1 to 64 characters; it is missing/],
  ['a list', 'INVALID_INPUT', CALL, '[]', /The payload must be an object; it is a list of 0/],
  ['null', 'INVALID_INPUT', CALL, 'null'],
  ['a text', 'INVALID_INPUT', CALL, '"set_head"'],
  ['a number', 'INVALID_INPUT', CALL, '7'],
  ['deeply nested', 'INVALID_INPUT', CALL, `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['input that is a list', 'INVALID_INPUT', CALL, tool('set_head', [])],
  ['a wrong type', 'INVALID_INPUT', CALL, tool('set_velocity', { vx: 'fast' }), /"input.vx" must be a number; it is "fast"/],
  ['null for a number', 'INVALID_INPUT', CALL, tool('set_velocity', { vx: null })],
  ['true for a number', 'INVALID_INPUT', CALL, tool('set_velocity', { vx: true })],
  [
    'an extra field',
    'INVALID_INPUT',
    CALL,
    tool('set_velocity', { vx: 0.1, speed: 1 }),
    /unknown property "speed"; it takes vx, vy, wz, duration_s/,
  ],
  [
    'an extra field inside a target',
    'INVALID_INPUT',
    CALL,
    tool('go_to', { target: { kind: 'entity', entity_id: 'pad_B', near: 1 } }),
    /"near"/,
  ],
  ['an extra field of the call', 'INVALID_INPUT', CALL, { name: 'set_head', input: {}, urgent: true }, /"urgent"/],
  ['an extra option', 'INVALID_INPUT', CALL, tool('set_head', {}, { retries: 3 }), /"retries"/],
  ['a missing field', 'INVALID_INPUT', CALL, tool('go_to', {}), /"input.target" must be an object; it is missing/],
  ['a missing field inside', 'INVALID_INPUT', CALL, tool('go_to', { target: { kind: 'entity' } }), /"input.target.entity_id"/],
  [
    'an unknown kind',
    'INVALID_INPUT',
    CALL,
    tool('go_to', { target: { kind: 'star' } }),
    /"input.target.kind" must be one of "entity", "pose"; it is "star"/,
  ],
  [
    'a name where a target is wanted',
    'INVALID_INPUT',
    CALL,
    tool('go_to', { target: 'pad_B' }),
    /"input.target" must be an object, such as \{"kind":"entity","entity_id":"pad_B"\}; it is "pad_B"/,
  ],
  [
    'a target that is JSON text',
    'INVALID_INPUT',
    CALL,
    tool('go_to', { target: '{"kind":"pose"}' }),
    /^"input.target" is a JSON text and must be an object\. Send the object itself/,
  ],
  [
    'an input that is JSON text',
    'INVALID_INPUT',
    CALL,
    { name: 'set_velocity', input: '{"vx":0.2}' },
    /^"input" is a JSON text and must be an object\./,
  ],
  [
    'a payload that is JSON text',
    'INVALID_INPUT',
    CALL,
    JSON.stringify('{"name":"set_velocity"}'),
    /^The payload is a JSON text and must be an object\./,
  ],
  ['a negative duration', 'INVALID_INPUT', CALL, tool('set_velocity', { duration_s: -1 }), /from 0 to 300; it is -1/],
  ['a huge duration', 'INVALID_INPUT', CALL, tool('set_velocity', { duration_s: 1e12 })],
  ['a head angle out of range', 'INVALID_INPUT', CALL, tool('set_head', { yaw: 3 }), /from -1.4 to 1.4; it is 3/],
  ['a speed of zero', 'INVALID_INPUT', CALL, tool('set_sim_speed', { speed: 0 }), /from 0.1 to 10/],
  ['a speed beyond the range', 'INVALID_INPUT', CALL, tool('set_sim_speed', { speed: 11 })],
  [
    'a position of two numbers',
    'INVALID_INPUT',
    CALL,
    tool('go_to', { target: { kind: 'pose', pose: { position: [0, 0] } } }),
    /a list of 3 values/,
  ],
  [
    'a position of four numbers',
    'INVALID_INPUT',
    CALL,
    tool('go_to', { target: { kind: 'pose', pose: { position: [0, 0, 0, 0] } } }),
  ],
  ['another frame', 'INVALID_INPUT', CALL, tool('go_to', atPose(0, 0, 0, { frame_id: 'robot' })), /"world"/],
  ['a tolerance of nothing', 'INVALID_INPUT', CALL, tool('go_to', { ...entity('pad_B'), tolerance_m: 0 })],
  ['a seed with a fraction', 'INVALID_INPUT', CALL, tool('reset', { seed: 1.5 }), /whole number/],
  ['a negative seed', 'INVALID_INPUT', CALL, tool('reset', { seed: -1 })],
  ['an unknown scene', 'INVALID_INPUT', CALL, tool('select_scene', { scene_id: 'moon' }), /warehouse/],
  [
    'an unknown colour mode',
    'INVALID_INPUT',
    CALL,
    tool('set_color_mode', { mode: 'sepia' }),
    /"natural", "plain", "segmentation"/,
  ],
  ['an empty action id', 'INVALID_INPUT', CALL, tool('set_head', {}, { action_id: '' })],
  ['a reserved action id', 'INVALID_INPUT', CALL, tool('set_head', {}, { action_id: 'cancel-active' })],
  ['a deadline of nothing', 'INVALID_INPUT', CALL, tool('set_head', {}, { deadline_s: 0 }), /above 0 and at most 3600/],
  ['a goal far outside', 'GOAL_OUTSIDE_MAP', CALL, tool('go_to', atPose(900, -900))],
  [
    'a goal in no world',
    'INVALID_INPUT',
    CALL,
    tool('go_to', atPose(1e9, 0)),
    /position\[0\]" must be a number from -1000 to 1000; it is 1000000000/,
  ],
  ['a goal in a rack', 'GOAL_OCCUPIED', CALL, tool('go_to', atPose(0.9, -5.2)), /rack_11/],
  ['an unknown skill', 'UNKNOWN_SKILL', CALL, tool('pick_entty', {}), /Nearest: pick_entity/],
  ['a skill named like an object field', 'UNKNOWN_SKILL', CALL, tool('constructor', {})],
  ['an unknown entity to pick', 'UNKNOWN_ENTITY', CALL, tool('pick_entity', entity('cube_99')), /cube_/],
  ['an unknown entity to go to', 'UNKNOWN_ENTITY', CALL, tool('go_to', entity('pad_X')), /pad_/],
  ['an unknown entity to look at', 'UNKNOWN_ENTITY', CALL, tool('look_at', entity('__proto__'))],
  ['an unknown pad', 'UNKNOWN_ENTITY', CALL, tool('place_entity', entity('pad_Z'))],
  ['the robot itself as goal', 'INVALID_INPUT', CALL, tool('go_to', entity('robot'))],
  ['a cube as place', 'INVALID_INPUT', CALL, tool('place_entity', entity('cube_0')), /pad_A, pad_B/],
  [
    'a slot the pad has not',
    'INVALID_INPUT',
    CALL,
    tool('place_entity', { target: { kind: 'slot', pad_id: 'pad_B', index: 8 } }),
    /from 0 to 7/,
  ],
  ['a place in the air', 'INVALID_INPUT', CALL, tool('place_entity', atPose(0.4, -2.2, 1)), /0.075/],
  ['a pad to pick', 'NOT_GRASPABLE', CALL, tool('pick_entity', entity('pad_B'))],
  ['the robot to pick', 'NOT_GRASPABLE', CALL, tool('pick_entity', entity('robot'))],
  ['a cube too far away', 'OUT_OF_REACH', CALL, tool('pick_entity', entity('cube_6')), /too far from cube \(3\.\d\dm > 1\.20m\)/],
  ['empty hands', 'HANDS_EMPTY', CALL, tool('place_entity', {})],
  ['an unknown camera', 'UNKNOWN_CAMERA', CAPTURE, { selector: { kind: 'id', id: 'chest' } }, /pov, topdown/],
  ['a capture of nothing', 'INVALID_INPUT', CAPTURE, {}],
  ['a picture too large', 'INVALID_INPUT', CAPTURE, { selector: pov, options: { width: 4000 } }, /from 16 to 1920/],
  ['half pixels', 'INVALID_INPUT', CAPTURE, { selector: pov, options: { width: 100.5 } }],
  ['quality zero', 'INVALID_INPUT', CAPTURE, { selector: pov, options: { quality: 0 } }],
  ['another format', 'INVALID_INPUT', CAPTURE, { selector: pov, options: { format: 'png' } }, /"jpeg"/],
  ['an unknown annotation', 'INVALID_INPUT', CAPTURE, { selector: pov, options: { annotations: ['masks'] } }],
  ['a cancel of nothing', 'ACTION_NOT_FOUND', 'runtime.cancel', { options: { action_id: 'cancel-active' } }],
  ['a cancel of an unknown action', 'ACTION_NOT_FOUND', 'runtime.cancel', { options: { action_id: 'never' } }],
  ['a cancel with rubbish', 'INVALID_INPUT', 'runtime.cancel', { options: { action_id: 7 } }],
  ['a result of an unknown action', 'ACTION_NOT_FOUND', 'runtime.action', { action_id: 'never' }],
  ['a filter of a wrong type', 'INVALID_INPUT', 'runtime.scene_state', { kinds: ['star'] }, /"robot", "cube", "object", "pad"/],
  ['an unknown filter', 'INVALID_INPUT', 'runtime.scene_state', { colour: 'red' }],
  ['a signed envelope', 'PERMISSION_DENIED', 'runtime.forward_envelope', { envelope: 'AAAA' }],
  ['an unknown method', 'METHOD_NOT_FOUND', 'runtime.fly', {}],
  ['a method named like an object field', 'METHOD_NOT_FOUND', '__proto__', {}],
  ['a request beyond one RPC', 'PAYLOAD_TOO_LARGE', CALL, JSON.stringify(tool('x'.repeat(16_000), {}))],
];

describe('bad input', () => {
  it.each(MALFORMED)('%s: %s, nothing moves, the robot remains usable', async (_what, code, method, payload, says) => {
    const t = await createTestRuntime();
    const before = robotTruth(t.core);
    const call = t.sendText(method, typeof payload === 'string' ? payload : JSON.stringify(payload));
    expect(call.replies).toBe(1);
    const { status, error } = call.reply;
    expect({ status, code: error.code }).toEqual({ status: 'failed', code });
    expect(error.message).toMatch(/\.$|\)$/);
    expect(error.message).not.toMatch(/!|undefined|\[object/);
    if (says) expect(error.message).toMatch(says);
    expect(error.details).toMatchObject({ attempted: false, world_changed: 'no' });
    t.advance(10);
    expect(robotTruth(t.core).position).toEqual(before.position);
    expect(t.read('runtime.state').runtime.status).toBe('ready');
    expect(t.invoke('set_sim_speed', { speed: 1 }).status).toBe('done');
  });

  it('every read accepts an empty payload and rejects a value that is not an object', async () => {
    const t = await createTestRuntime();
    const reads = METHOD_NAMES.filter(
      (name) =>
        ![
          'runtime.tools_call',
          CAPTURE,
          'runtime.cancel',
          'runtime.emergency_stop',
          'runtime.control',
          'runtime.forward_envelope',
        ].includes(name),
    );
    for (const method of reads) {
      expect(t.sendText(method, '').reply.status, method).not.toBe('failed');
      expect(t.sendText(method, '[1]').reply.error.code, method).toBe('INVALID_INPUT');
      expect(t.sendText(method, '{"a": NaN}').reply.error.code, method).toBe('INVALID_INPUT');
    }
  });

  it('random payloads are always answered once, and the robot remains usable', async () => {
    const t = await createTestRuntime();
    let state = 12_345;
    const random = (count: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % count;
    };
    const scraps: unknown[] = [
      null,
      true,
      -1,
      1e308,
      '',
      'cube',
      [],
      {},
      [[]],
      { kind: 'entity' },
      { kind: 'pose', pose: {} },
      'x'.repeat(200),
    ];
    const names = ['vx', 'target', 'yaw', 'kind', 'mode', 'seed', 'benchmark', '__proto__', 'toString'];
    const calls: PendingCall[] = [];
    for (let i = 0; i < 400; i += 1) {
      const input = Object.fromEntries(
        Array.from({ length: random(4) }, () => [names[random(names.length)], scraps[random(scraps.length)]]),
      );
      const name = SKILL_NAMES[random(SKILL_NAMES.length)];
      calls.push(t.start(String(name), input));
      for (let step = 0; step < 4; step += 1) t.advance();
    }
    t.invoke('cancel');
    t.stepUntil(() => t.core.ledger.active.size === 0, 400);
    expect(calls.map(({ replies }) => replies)).toEqual(calls.map(() => 1));
    expect(t.invoke('set_head', { yaw: 0.2 }).status).toBe('done');
  });
});

describe('null for an absent value', () => {
  it.each([
    [CALL, { name: 'set_head', input: { yaw: 0.1 }, options: null }],
    [CALL, { name: 'set_head', input: null, options: { action_id: null, deadline_s: null } }],
    ['runtime.scene_state', { entity_ids: null, visible: null, kinds: null }],
    ['runtime.action', { action_id: null }],
    ['runtime.cancel', { options: null }],
  ])('%s treats %j as an absent field', async (method, payload) => {
    const t = await createTestRuntime();
    const reported = t.send(method, payload);
    if (reported.replies === 0) t.finish(reported);
    expect(reported.reply.error?.code).not.toBe('INVALID_INPUT');
  });

  it('a capture that names only its camera has the default size', async () => {
    const t = await createTestRuntime();
    const options = { width: null, height: null, format: null, quality: null, annotations: null };
    t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' }, options, stream: { id: 's', topic: null } });
    expect(t.jobs).toMatchObject([{ widthPx: 1280, heightPx: 720, quality: 0.7 }]);
  });

  it.each([
    ['what must be there', { name: null, input: {} }, /"name" must be/],
    ['an unknown field', { name: 'set_head', input: {}, urgent: null }, /"urgent"/],
    ['an unknown option', { name: 'set_head', input: {}, options: { retries: null } }, /"retries"/],
    ['a parameter of a skill', { name: 'set_head', input: { yaw: null } }, /"input.yaw"/],
  ])('null is rejected for %s', async (_, payload, sentence) => {
    const { reply } = (await createTestRuntime()).send(CALL, payload);
    expect(reply.error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(sentence) });
  });
});
