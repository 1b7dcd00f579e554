import { describe, expect, it } from 'vitest';
import { captureResultSchema } from '../../src/protocol/wire/captures.ts';
import { METHOD_NAMES } from '../../src/protocol/wire/methods.ts';
import { sceneLayoutSchema, sceneStateSchema } from '../../src/protocol/wire/scene.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { segmentationColour } from '../../src/protocol/wire/segmentation.ts';
import { skillDescriptorSchema } from '../../src/protocol/wire/skill-descriptors.ts';
import { SKILL_NAMES } from '../../src/protocol/wire/skills.ts';
import { runtimeStateSchema } from '../../src/protocol/wire/state.ts';
import { notReadyReply } from '../../src/runtime/not-ready.ts';
import { cameraIdsOf } from '../../src/simulation/scene.ts';
import { addCube } from '../../src/simulation/things.ts';
import { createTestRuntime, entity, startAt } from './test-runtime.ts';

const CAPTURE = 'runtime.cameras_capture';

describe('reads', () => {
  it('tools_list names every skill with a schema and fits one reply', async () => {
    const t = await createTestRuntime();
    const tools = t.read('runtime.tools_list');
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(SKILL_NAMES);
    for (const tool of tools)
      expect(skillDescriptorSchema.parse(tool).input_schema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it('state, scene and layout follow their schemas, standing and holding', async () => {
    const t = await startAt(0.94, -1.8, 0);
    const check = () => {
      runtimeStateSchema.parse(t.read('runtime.state'));
      sceneStateSchema.parse(t.read('runtime.scene_state'));
      sceneLayoutSchema.parse(t.read('runtime.scene_layout'));
    };
    check();
    const picking = t.start('pick_entity', entity('cube_0'));
    while (picking.replies === 0) {
      t.advance(30);
      check();
    }
    expect(t.read('runtime.state').robot).toMatchObject({ entity_id: 'robot', status: 'holding' });
    check();
  });

  it('the scene is that of the contract', async () => {
    const t = await createTestRuntime();
    const { entities } = t.read('runtime.scene_state');
    const colours = Array.from({ length: 7 }, (_, i) => entities[`cube_${i}`].state.color);
    expect(colours).toEqual(['blue', 'green', 'green', 'blue', 'red', 'red', 'blue']);
    expect(entities.robot.pose.position).toEqual([0.405, -1.497, 0.62]);
    expect(entities.cube_0).toMatchObject({ visible: true, attached_to: null });
    t.advance(30);
    expect(t.read('runtime.scene_state').entities.cube_0.state).toMatchObject({ parent_pad_id: 'pad_A', slot: 0 });
    const layout = t.read('runtime.scene_layout');
    expect(layout.pads.map((pad: { pad_id: string }) => pad.pad_id)).toEqual(['pad_A', 'pad_B', 'pad_C', 'pad_D', 'pad_E']);
  });

  it('the layout names the parts of the floor that the scene file names', async () => {
    const t = await createTestRuntime({ sceneId: 'kitchen' });
    const { regions } = sceneLayoutSchema.parse(t.read('runtime.scene_layout'));
    expect(regions?.map(({ region_id, title }) => [region_id, title])).toEqual([
      ['cooking', 'Cooking corner'],
      ['dining', 'Dining place'],
      ['open_floor', 'Open floor'],
    ]);
    expect(regions?.[0]?.polygon).toEqual([
      [-2.5, 1],
      [3, 1],
      [3, 2.8],
      [-2.5, 2.8],
    ]);
  });

  it('scene_state filters by id, kind and visibility, alone and together', async () => {
    const t = await createTestRuntime();
    const ids = (payload: unknown) => Object.keys(t.read('runtime.scene_state', payload).entities);
    expect(ids({ entity_ids: ['cube_3', 'pad_B', 'nobody'] })).toEqual(['pad_B', 'cube_3']);
    expect(ids({ kinds: ['robot'] })).toEqual(['robot']);
    expect(ids({ kinds: ['cube'], entity_ids: ['pad_B', 'cube_1'] })).toEqual(['cube_1']);
    expect(ids({ visible: false })).toEqual([]);
    expect(ids({ kinds: [] })).toEqual([]);
  });

  it.each(['simulator', 'worker'] as const)(
    'scene_state of the %s names the unknown ids, with the nearest known ones',
    async (profile) => {
      const t = await createTestRuntime({ profile });
      const read = (payload: unknown) => sceneStateSchema.parse(t.read('runtime.scene_state', payload));
      expect(read({ entity_ids: ['cube_99', 'pad_B', 'pad_Z', 'cube_99'] })).toMatchObject({
        entities: { pad_B: { entity_id: 'pad_B' } },
        unknown_ids: [
          { entity_id: 'cube_99', nearest: [expect.stringMatching(/^cube_/), expect.any(String), expect.any(String)] },
          { entity_id: 'pad_Z', nearest: [expect.stringMatching(/^pad_/), expect.any(String), expect.any(String)] },
        ],
      });
    },
  );

  it('scene_state has no unknown ids if every id names something, also something that another filter excludes', async () => {
    const t = await createTestRuntime();
    for (const payload of [
      {},
      { entity_ids: [] },
      { entity_ids: ['cube_1', 'robot'] },
      { entity_ids: ['pad_B'], kinds: ['cube'] },
    ])
      expect(t.read('runtime.scene_state', payload)).not.toHaveProperty('unknown_ids');
  });

  it('scene_state names sixteen unknown ids, and omits them if the entities alone just fit', async () => {
    const t = await createTestRuntime();
    const nonsense = Array.from({ length: 40 }, (_, i) => `${'x'.repeat(60)}_${i}`);
    expect(t.read('runtime.scene_state', { entity_ids: nonsense }).unknown_ids).toHaveLength(16);
    for (let i = 0; i < 50; i += 1) addCube(t.core.world, 'red', [-3 + (i % 12) * 0.3, -3.6 + Math.floor(i / 12) * 0.25, 0.075]);
    t.advance(30);
    const everything = Object.keys(t.read('runtime.scene_state').entities);
    const crowded = t.read('runtime.scene_state', { entity_ids: [...everything, ...nonsense] });
    expect(Object.keys(crowded.entities)).toHaveLength(63);
    expect(crowded).not.toHaveProperty('unknown_ids');
  });

  it('a reply that is too large is PAYLOAD_TOO_LARGE with a remedy, never half a reply', async () => {
    const t = await createTestRuntime();
    for (let i = 0; i < 150; i += 1) addCube(t.core.world, 'red', [-3 + (i % 12) * 0.3, -3.6 + Math.floor(i / 12) * 0.25, 0.075]);
    const { error } = t.read('runtime.scene_state');
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { entity_count: 163 } });
    expect(error.message).toMatch(/^The 163 entities asked for need \d+ bytes; .* Ask with entity_ids, \d+ at a time/);
    // The sentence's advice works for every one of them.
    const { entity_ids: ids, allowed } = error.details;
    expect(ids).toHaveLength(163);
    for (let from = 0; from < ids.length; from += allowed.entity_ids) {
      const asked = ids.slice(from, from + allowed.entity_ids);
      expect(Object.keys(t.read('runtime.scene_state', { entity_ids: asked }).entities)).toEqual(asked);
    }
    expect(Object.keys(t.read('runtime.scene_state', { entity_ids: ['cube_0'] }).entities)).toEqual(['cube_0']);
    expect(t.read('runtime.state').robot.entity_id).toBe('robot');
  });

  it('a crowded scene omits the quaternions that yaw_deg also expresses, and still fits one reply', async () => {
    const t = await createTestRuntime();
    for (let i = 0; i < 50; i += 1) addCube(t.core.world, 'red', [-3 + (i % 12) * 0.3, -3.6 + Math.floor(i / 12) * 0.25, 0.075]);
    t.advance(30);
    const scene = sceneStateSchema.parse(t.read('runtime.scene_state'));
    expect(Object.keys(scene.entities)).toHaveLength(63);
    expect(scene.entities.cube_20?.pose).toMatchObject({ yaw_deg: 0, position: expect.any(Array) });
    expect(scene.entities.cube_20?.pose.orientation_xyzw).toBeUndefined();
    expect(t.read('runtime.scene_state', { entity_ids: ['cube_20'] }).entities.cube_20.pose.orientation_xyzw).toBeDefined();
  });

  it('a fault of the runtime is reported only by a reference; the thrown value goes to its keeper', async () => {
    const t = await createTestRuntime();
    const turning = t.start('set_head', { yaw: 0.5 });
    t.advance(5);
    t.core.world.body.head.yaw = null as never;
    const { error } = t.finish(turning);
    expect(error).toMatchObject({ code: 'INTERNAL', details: { attempted: true, world_changed: 'unknown' } });
    const { incident } = error.details;
    expect(error.message).toContain(incident);
    expect(JSON.stringify(error)).not.toMatch(/null|TypeError|properties/);
    expect(t.faults).toMatchObject([{ incident, thrown: expect.any(TypeError) }]);
    expect(t.start('go_to', entity('pad_C')).reply.error).toMatchObject({ code: 'INTERNAL', details: { incident } });
    expect(t.invoke('reset').status).toBe('done');
    expect(t.invoke('set_head', { yaw: 0.5 }).status).toBe('done');
  });

  it('segmentation reports which colour is which entity', async () => {
    const t = await createTestRuntime();
    const { legend } = t.invoke('set_color_mode', { mode: 'segmentation' }).result;
    expect(Object.keys(legend)).toEqual(Object.keys(t.read('runtime.scene_state').entities));
    expect(new Set(Object.values(legend)).size).toBe(13);
    expect(legend.cube_3).toBe(segmentationColour('cube_3', 'bright'));
    expect(t.invoke('set_color_mode', { mode: 'natural' }).result).toEqual({ mode: 'natural' });
    for (let i = 0; i < 600; i += 1) addCube(t.core.world, 'red', [-3 + (i % 12) * 0.3, -3.6 + Math.floor(i / 12) * 0.05, 0.075]);
    const crowded = t.invoke('set_color_mode', { mode: 'segmentation' }).result.legend;
    expect(Object.keys(crowded)).toHaveLength(256);
    expect(crowded).toMatchObject({
      robot: legend.robot,
      pad_E: legend.pad_E,
      cube_606: segmentationColour('cube_606', 'bright'),
    });
  });

  it('manifest and capabilities describe the robot and its runtime', async () => {
    const t = await createTestRuntime();
    const manifest = t.read('runtime.manifest');
    expect(manifest).toMatchObject({
      product: 'simplesim',
      version: '0.0.0-test',
      protocol_version: 1,
      scenes: SCENE_IDS,
    });
    expect(manifest.robot_model.joints).toHaveLength(25);
    expect(manifest.methods).toEqual(METHOD_NAMES);
    const { cameras, limits } = t.read('runtime.capabilities');
    expect(cameras.map((camera: { camera_id: string }) => camera.camera_id)).toEqual(cameraIdsOf(t.core.world));
    expect(limits).toMatchObject({ rpc_payload_bytes: 15_360, reach_m: 1.2 });
  });

  it('numbers are rounded to 0.1 mm', async () => {
    const t = await createTestRuntime();
    t.invoke('set_velocity', { vx: 0.123, wz: 0.4, duration_s: 0.3 });
    const long = JSON.stringify(t.read('runtime.state')).match(/\d\.\d{5,}/g) ?? [];
    expect(long).toEqual([]);
  });
});

describe('captures', () => {
  const ask = {
    selector: { kind: 'id', id: 'pov' },
    options: { width: 320, height: 180, quality: 0.9 },
    stream: { id: 's1', topic: 'mine' },
  };

  it('P14 a capture names step, time, intrinsics and the camera of the moment of its request', async () => {
    const t = await createTestRuntime();
    t.start('set_velocity', { vx: -0.4, wz: 1, duration_s: 2 });
    t.advance(60);
    const call = t.send(CAPTURE, ask, 'eye');
    const [job] = t.jobs;
    if (!job) throw new Error('no job');
    expect(job).toMatchObject({
      callerIdentity: 'eye',
      camera: 'pov',
      widthPx: 320,
      heightPx: 180,
      quality: 0.9,
      streamId: 's1',
      topic: 'mine',
    });
    const pose = t.runtime.renderState().cameras.pov;
    t.advance(30);
    expect(call.replies).toBe(0);
    expect(t.read('runtime.state').runtime.active_action.name).toBe('set_velocity');
    t.runtime.finishCapture(job.actionId, { ok: true, byteLength: 4321 }, t.nowMs);
    const { status, result } = call.reply;
    expect(status).toBe('done');
    const { frame, payload } = captureResultSchema.parse(result);
    expect(payload).toEqual({ kind: 'byte_stream', stream_id: 's1', topic: 'mine', byte_length: 4321 });
    expect(frame).toMatchObject({ step: 60, sim_time_s: 0.5, width: 320, height: 180 });
    expect(frame.intrinsics.fy).toBeCloseTo(90 / Math.tan((35 * Math.PI) / 180), 3);
    for (const axis of [0, 1, 2] as const) expect(frame.camera_pose.position[axis]).toBeCloseTo(pose.position[axis], 3);
  });

  it('the defaults are those of the contract; without a stream the action id names the picture', async () => {
    const t = await createTestRuntime();
    t.send(CAPTURE, { selector: { kind: 'id', id: 'topdown' } });
    expect(t.jobs[0]).toMatchObject({
      widthPx: 1280,
      heightPx: 720,
      quality: 0.7,
      topic: 'platform.camera_capture',
      annotations: false,
    });
    expect(t.jobs[0]?.streamId).toBe(t.jobs[0]?.actionId);
    expect(t.read('runtime.state').runtime.active_action).toMatchObject({ kind: 'capture' });
  });

  it('a picture that cannot be delivered is CAPTURE_FAILED with the reason; a late or double outcome is dropped', async () => {
    const t = await createTestRuntime();
    const call = t.send(CAPTURE, ask);
    const id = t.jobs[0]?.actionId ?? '';
    t.runtime.finishCapture(id, { ok: false, message: 'the caller left the room' }, t.nowMs);
    t.runtime.finishCapture(id, { ok: true, byteLength: 1 }, t.nowMs);
    t.runtime.finishCapture('nobody', { ok: true, byteLength: 1 }, t.nowMs);
    expect(call.replies).toBe(1);
    expect(call.reply.error).toMatchObject({ code: 'CAPTURE_FAILED', details: { reason: 'the caller left the room' } });
  });

  it('a camera that cannot even start is CAPTURE_FAILED too', async () => {
    const t = await createTestRuntime();
    t.jobs.push = () => {
      throw new Error('no camera worker');
    };
    expect(t.send(CAPTURE, ask).reply.error).toMatchObject({
      code: 'CAPTURE_FAILED',
      details: { reason: expect.stringMatching(/^the camera could not start \(fault-/) },
    });
  });

  it('a cancelled capture answers at once and is never answered twice', async () => {
    const t = await createTestRuntime();
    const call = t.send(CAPTURE, ask);
    const reply = t.read('runtime.cancel', { options: { action_id: 'cancel-active' } });
    expect(reply.error.code).toBe('CANCELLED');
    t.runtime.finishCapture(t.jobs[0]?.actionId ?? '', { ok: true, byteLength: 1 }, t.nowMs);
    expect(call.replies).toBe(1);
  });
});

describe('P15 not ready', () => {
  it('every method is answered at once with the loading part and its progress, whatever the payload', () => {
    for (const method of METHOD_NAMES) {
      const { status, error, meta } = JSON.parse(notReadyReply(method, 'rubbish', { part: 'the physics', fraction: 0.456 }));
      expect({ status, meta }).toEqual({ status: 'failed', meta: undefined });
      expect(error).toMatchObject({
        code: 'NOT_READY',
        details: { stage: 'readiness', retryable: true, progress: { part: 'the physics', current: 46 } },
      });
      expect(error.message).toMatch(/still loading: the physics, 46% done/);
    }
    expect(JSON.parse(notReadyReply('runtime.fly', '', { part: 'x', fraction: 0 })).error.code).toBe('METHOD_NOT_FOUND');
  });
});
