/**
 * A robot whose cameras draw nothing reports it in its state, in its capabilities and in the answer to a request for a picture.
 */
import { describe, expect, it } from 'vitest';
import { frameOf } from '../../src/protocol/wire/capture-frame.ts';
import { cameraIdsOf } from '../../src/simulation/scene.ts';
import { atPose, createTestRuntime, startAt } from './test-runtime.ts';

const CAPTURE = 'runtime.cameras_capture';
const pov = { selector: { kind: 'id', id: 'pov' } };

describe('a robot without cameras', () => {
  it.each(['worker', 'simulator'] as const)(
    'a robot without cameras lists none, accepts no requests for pictures and reports the reason: %s',
    async (profile) => {
      const t = await createTestRuntime({ profile, cameras: { kind: 'none' } });
      expect(t.read('runtime.capabilities')).toMatchObject({ cameras: [], captures: { available: false } });
      expect(t.read('runtime.capabilities').captures.message).toMatch(/no cameras.*browser/);
      expect(t.read('runtime.state').runtime.accepts_capture_requests).toBe(false);
      const { error, meta } = t.read(CAPTURE, pov);
      expect(error).toMatchObject({
        code: 'UNKNOWN_CAMERA',
        message: expect.stringMatching(/"pov".*no cameras.*browser/),
        details: { allowed: [], retryable: false, attempted: false },
      });
      expect(meta).toBeUndefined();
      expect(t.jobs).toEqual([]);
    },
  );

  it('a robot without cameras has no skill that uses them', async () => {
    const t = await createTestRuntime({ profile: 'worker', cameras: { kind: 'none' } });
    for (const { annotations } of t.read('runtime.tools_list')) expect(annotations.uses.cameras).toEqual([]);
  });
});

describe('a robot whose cameras do not work', () => {
  it('a robot whose cameras do not work lists them, reports the fault, and answers a capture with the reason at once', async () => {
    const t = await createTestRuntime();
    t.runtime.noteCameras({ kind: 'broken', message: 'The cameras do not work in this browser: WebGL is needed.' });
    const { cameras, captures } = t.read('runtime.capabilities');
    const there = cameraIdsOf(t.core.world);
    expect(cameras.map(({ camera_id }: { camera_id: string }) => camera_id)).toEqual(there);
    expect(captures).toMatchObject({ available: false, message: expect.stringContaining('WebGL') });
    expect(t.read('runtime.state').runtime.accepts_capture_requests).toBe(false);
    expect(t.read(CAPTURE, pov).error).toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining('WebGL is needed.'),
      details: { retryable: false },
    });
    expect(t.read(CAPTURE, { selector: { kind: 'id', id: 'rear' } }).error).toMatchObject({
      code: 'UNKNOWN_CAMERA',
      details: { allowed: there },
    });
    expect(t.jobs).toEqual([]);
  });
});

describe('a robot whose cameras are still being built', () => {
  const CAMERAS_WAIT_MS = 10_000;
  const starting = () => createTestRuntime({ cameras: { kind: 'starting' } });

  it('a robot reports that its cameras are being built, and a requested picture later shows the moment of its request', async () => {
    const t = await starting();
    expect(t.read('runtime.state').runtime).toMatchObject({ accepts_capture_requests: false, accepts_tool_calls: true });
    expect(t.read('runtime.capabilities').captures).toMatchObject({
      available: false,
      message: expect.stringMatching(/still built.*waits for them, at most 10 s/),
    });
    const call = t.send(CAPTURE, pov);
    const asked = structuredClone(t.runtime.renderState());
    t.start('go_to', atPose(1.5, 0, 0));
    t.advance(120);
    expect(t.jobs).toEqual([]);
    expect(call.reply).toBeNull();
    t.runtime.noteCameras({ kind: 'ready' });
    expect(t.jobs.map(({ renderState }) => renderState)).toEqual([asked]);
    t.runtime.finishCapture(t.jobs[0]?.actionId ?? '', { ok: true, byteLength: 1 }, t.nowMs);
    expect(call.reply.result.frame.step).toBe(asked.step);
    expect(t.read('runtime.state').runtime.accepts_capture_requests).toBe(true);
    expect(t.read('runtime.capabilities').captures).toMatchObject({ available: true, formats: ['jpeg'] });
    t.send(CAPTURE, pov);
    expect(t.jobs).toHaveLength(2);
  });

  it('a picture is given up after ten seconds, with the advice to ask again', async () => {
    const t = await starting();
    const call = t.send(CAPTURE, pov);
    t.advance((CAMERAS_WAIT_MS / 1000) * 120 - 1);
    expect(call.reply).toBeNull();
    const later = t.send(CAPTURE, pov);
    t.advance(2);
    expect(call.reply).toMatchObject({ status: 'failed', error: { code: 'NOT_READY', details: { retryable: true } } });
    expect(call.reply.error.message).toContain('cameras');
    expect(later.reply).toBeNull();
    t.runtime.noteCameras({ kind: 'ready' });
    expect(t.jobs).toHaveLength(1);
  });

  it('a waiting picture is given up if the physics breaks', async () => {
    const t = await starting();
    const call = t.send(CAPTURE, pov);
    t.core.fault = 'fault-of-the-test';
    t.advance((CAMERAS_WAIT_MS / 1000) * 120 + 2);
    expect(call.reply.error).toMatchObject({ code: 'NOT_READY' });
  });

  it('a picture that was cancelled while it waited is not drawn', async () => {
    const t = await starting();
    const cancelled = t.send(CAPTURE, { ...pov, options: { width: 64, height: 64 } });
    const kept = t.send(CAPTURE, pov);
    t.read('runtime.cancel', {});
    expect(cancelled.reply.error.code).toBe('CANCELLED');
    t.runtime.noteCameras({ kind: 'ready' });
    expect(t.jobs).toHaveLength(1);
    expect(kept.reply).toBeNull();
  });

  it('waiting pictures end with the reason if the cameras turn out not to work', async () => {
    const t = await starting();
    const call = t.send(CAPTURE, pov);
    t.runtime.noteCameras({ kind: 'broken', message: 'The cameras do not work in this browser: WebGL is needed.' });
    expect(call.reply.error).toMatchObject({ code: 'CAPTURE_FAILED', message: expect.stringContaining('WebGL') });
    expect(t.jobs).toEqual([]);
  });

  it('no more pictures wait than a caller may have waiting', async () => {
    const t = await starting();
    const calls = Array.from({ length: 33 }, () => t.send(CAPTURE, pov));
    expect(calls.filter(({ reply }) => reply !== null)).toHaveLength(1);
    expect(calls.at(-1)?.reply.error.code).toBe('BUSY');
  });
});

describe('P14 a picture', () => {
  it.each(['pov', 'topdown'])(
    'a picture shows exactly the state of its frame, and keeps it while the world changes: %s',
    async (id) => {
      const t = await startAt(0.94, -1.8, 0);
      const shoot = () => {
        const call = t.send(CAPTURE, { selector: { kind: 'id', id } });
        const job = t.jobs.at(-1);
        if (!job) throw new Error('nothing is drawn');
        // The picture is drawn later, so the present state is copied.
        const world = structuredClone(t.runtime.renderState());
        return { call, job, world };
      };
      const shots = [shoot()];
      t.start('go_to', atPose(3.2, -2, 0));
      for (let n = 0; n < 3; n += 1) {
        t.advance(60);
        shots.push(shoot());
      }
      expect(new Set(shots.map(({ world }) => JSON.stringify(world.rootPose))).size).toBe(shots.length);
      for (const { call, job, world } of shots) {
        expect(job.renderState).toEqual(world);
        t.runtime.finishCapture(job.actionId, { ok: true, byteLength: 1 }, t.nowMs);
        const { frame } = call.reply.result;
        expect(frame.step).toBe(world.step);
        const { position } = frameOf(world, job.camera, job.widthPx, job.heightPx).camera_pose;
        expect(frame.camera_pose.position).toEqual(position.map((value) => expect.closeTo(value, 3)));
      }
    },
  );
});
