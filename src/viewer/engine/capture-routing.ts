import type { Cameras } from '../../cameras/camera-client.ts';
import type { CaptureStreamAttributes } from '../../protocol/captures.ts';
import type { RoomManager } from '../../room/room-manager.ts';
import type { CaptureJob, CaptureOutcome } from '../../runtime/action-record.ts';

/**
 * Draws a picture and sends it to its caller; the stream is closed when this resolves. Never rejects: the outcome goes back to
 * the runtime, which answers the call.
 */
export async function carryOutCapture(
  job: CaptureJob,
  cameras: Pick<Cameras, 'capture'> | null,
  room: Pick<RoomManager, 'sendJpeg'> | null,
): Promise<CaptureOutcome> {
  const { callerIdentity } = job;
  if (callerIdentity === null) return failed('The page takes its own pictures without a stream.');
  if (!cameras) return failed('The cameras of this tab do not work. Reload the page; WebGL must be allowed.');
  if (!room) return failed('The robot is not in the room at the moment. Ask again when it is back.');
  try {
    const { renderState, camera, widthPx, heightPx, quality, annotations } = job;
    const { jpeg, sha256, entities } = await cameras.capture({
      renderState,
      camera,
      widthPx,
      heightPx,
      quality,
      annotations: annotations ? ['boxes'] : [],
    });
    const attributes: CaptureStreamAttributes = {
      request_id: job.streamId,
      width: String(widthPx),
      height: String(heightPx),
      camera,
      step: String(job.frame.step),
      sim_time_s: String(job.frame.sim_time_s),
      byte_length: String(jpeg.byteLength),
      sha256,
    };
    await room.sendJpeg({
      bytes: jpeg,
      topic: job.topic,
      name: job.streamId,
      attributes,
      destinationIdentity: callerIdentity,
    });
    return { ok: true, byteLength: jpeg.byteLength, ...(entities ? { entities } : {}) };
  } catch (error) {
    return failed(sentenceOf(error));
  }
}

/**
 * Returns the sentence of an error. Cameras and room reject with sentences made for callers; the text of any other fault helps
 * nobody.
 */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^[A-Z].*\.$/.test(message) ? message : 'The picture could not be drawn and sent. Ask again.';
}

const failed = (message: string): CaptureOutcome => ({ ok: false, message });
