import * as errors from '../../protocol/texts/error-texts.ts';
import type { Caller } from '../../protocol/wire/caller.ts';
import { frameOf } from '../../protocol/wire/capture-frame.ts';
import { CAMERAS_AWAITED_MS, CAPTURE_TOPIC, CAPTURES_WAITING_MAX } from '../../protocol/wire/limits.ts';
import { METHOD_REQUESTS } from '../../protocol/wire/methods.ts';
import { cameraIdsOf } from '../../simulation/scene.ts';
import { renderState } from '../../simulation/world.ts';
import type { CameraState, CaptureJob, CaptureOutcome } from '../action-record.ts';
import * as actions from '../actions.ts';
import { noteFault, type RuntimeCore } from '../core.ts';
import { validate } from '../input-problems.ts';
import { encodeGuard } from '../reply.ts';
import type { Call, Reply } from '../runtime-call.ts';
import { awaitEnd } from '../waiting-calls.ts';

/** The name of the part that is still loading, for NOT_READY. */
const CAMERAS = 'cameras';
const DRAWING = 'drawing';

/**
 * `runtime.cameras_capture`: freezes the current state of the world and hands the picture to the page's drawing code (promise
 * P14). While the cameras are still being built, the picture waits up to `CAMERAS_AWAITED_MS`; it still shows the moment at which
 * it was asked for.
 */
export function capture(core: RuntimeCore, call: Call, reply: Reply): void {
  const request = validate(METHOD_REQUESTS['runtime.cameras_capture'], call.payload);
  if (!request.ok) {
    reply(encodeGuard(request.error));
    return;
  }
  const { selector, options, stream } = request.value;
  const { cameras } = core;
  if (cameras.kind === 'none') {
    reply(encodeGuard(errors.noCameras(selector.id)));
    return;
  }
  const cameraIds = cameraIdsOf(core.world);
  if (!cameraIds.includes(selector.id)) {
    reply(encodeGuard(errors.unknownCamera(selector.id, cameraIds)));
    return;
  }
  if (cameras.kind === 'broken') {
    reply(encodeGuard(errors.camerasBroken(cameras.message)));
    return;
  }
  const callerIdentity = addresseeOf(call.caller);
  const waiting = waitingOf(core, callerIdentity);
  if (waiting >= CAPTURES_WAITING_MAX) {
    reply(encodeGuard(errors.tooManyCaptures()));
    return;
  }
  const state = renderState(core.world);
  const actionId = core.deps.newActionId();
  const job: CaptureJob = {
    actionId,
    callerIdentity,
    camera: selector.id,
    widthPx: options.width,
    heightPx: options.height,
    quality: options.quality,
    streamId: stream?.id ?? actionId,
    topic: stream?.topic ?? CAPTURE_TOPIC,
    frame: frameOf(state, selector.id, options.width, options.height),
    renderState: state,
    annotations: options.annotations.includes('boxes'),
  };
  const entry = actions.accept(core, {
    actionId,
    kind: 'capture',
    name: 'cameras_capture',
    input: request.value,
    caller: call.caller,
    claims: [],
    deadlineS: null,
    phase: DRAWING,
    tooLargeHint: 'Ask without annotations.',
  });
  entry.stage = { kind: 'capturing' };
  awaitEnd(entry, call.caller, reply);
  core.captures.set(actionId, job);
  if (cameras.kind === 'ready') {
    start(core, job);
    return;
  }
  actions.setPhase(entry, 'waiting for the cameras');
  core.awaitingCameras.push({ job, untilMs: core.nowMs + CAMERAS_AWAITED_MS });
}

function start(core: RuntimeCore, job: CaptureJob): void {
  const { actionId } = job;
  core.outbox.push(() => {
    try {
      core.deps.startCapture(job);
    } catch (fault) {
      finishCapture(core, actionId, { ok: false, message: `the camera could not start (${noteFault(core, fault, actionId)})` });
    }
  });
}

/** Takes note that the cameras' state has changed: draws the waiting captures, or ends them with the reason. */
export function noteCameras(core: RuntimeCore, cameras: CameraState): void {
  core.cameras = cameras;
  if (cameras.kind === 'starting') return;
  for (const { job } of core.awaitingCameras.splice(0)) {
    const entry = core.ledger.active.get(job.actionId);
    if (entry && cameras.kind === 'ready') {
      actions.setPhase(entry, DRAWING);
      start(core, job);
      continue;
    }
    core.captures.delete(job.actionId);
    const error = cameras.kind === 'broken' ? errors.camerasBroken(cameras.message) : errors.noCameras(job.camera);
    if (entry) actions.end(core, entry, { ok: false, error });
  }
}

/** Ends captures that have waited too long for cameras still being built, and forgets those that were cancelled. */
export function giveUpOnCameras(core: RuntimeCore): void {
  const waiting = core.awaitingCameras;
  for (let first = waiting[0]; first && first.untilMs <= core.nowMs; first = waiting[0]) {
    waiting.shift();
    const { actionId } = first.job;
    core.captures.delete(actionId);
    const entry = core.ledger.active.get(actionId);
    if (entry) actions.end(core, entry, { ok: false, error: errors.notReady(CAMERAS, 0) });
  }
}

/** Returns the participant who asked for the picture and receives it. */
function addresseeOf(caller: Caller): string | null {
  if (caller.kind === 'participant') return caller.identity;
  return caller.kind === 'holder' ? caller.carrier : null;
}

/** Counts the pictures of a caller. A cancelled picture still waits to be drawn, so it counts until its outcome is reported. */
function waitingOf({ captures }: RuntimeCore, identity: string | null): number {
  let count = 0;
  for (const { callerIdentity } of captures.values()) if (callerIdentity === identity) count += 1;
  return count;
}

/** Takes the outcome of a picture: it was sent, or could not be. Drops the outcome of a capture that has been cancelled. */
export function finishCapture(core: RuntimeCore, actionId: string, outcome: CaptureOutcome): void {
  const job = core.captures.get(actionId);
  core.captures.delete(actionId);
  const entry = core.ledger.active.get(actionId);
  if (!job || !entry) return;
  if (!outcome.ok) {
    actions.end(core, entry, { ok: false, error: errors.captureFailed(outcome.message) });
    return;
  }
  actions.end(core, entry, {
    ok: true,
    result: {
      payload: { kind: 'byte_stream', stream_id: job.streamId, topic: job.topic, byte_length: outcome.byteLength },
      frame: job.frame,
      ...(outcome.entities ? { entities: [...outcome.entities] } : {}),
    },
  });
}
