import { SentenceError } from '../../common/sentence-error.ts';
import { NOT_IN_ROOM } from '../../protocol/texts/room-texts.ts';
import type { CaptureStreamAttributes } from '../../protocol/wire/captures.ts';
import type { CaptureJob, CaptureOutcome } from '../action-record.ts';

/** A picture as it was drawn and encoded. */
export interface DrawnPicture {
  jpeg: Uint8Array;
  /** SHA-256 of the JPEG's bytes, lower-case hex. */
  sha256: string;
  /** Only when boxes were asked for. */
  entities?: readonly unknown[];
}

/** A JPEG for one participant, as a byte stream has it. */
export interface SentJpeg {
  bytes: Uint8Array;
  topic: string;
  name: string;
  attributes: Record<string, string>;
  destinationIdentity: string;
}

/** The functions that draw and send a picture. Both reject with a sentence for the caller. */
export interface CaptureMeans {
  draw(job: CaptureJob): Promise<DrawnPicture>;
  /** Null while the robot is in no room. */
  room: { sendJpeg(picture: SentJpeg): Promise<void> } | null;
}

/**
 * Draws a picture and sends it to its caller; the stream is closed when this resolves. Never rejects: the outcome goes back to
 * the runtime, which answers the call.
 */
export async function carryOutCapture(job: CaptureJob, { draw, room }: CaptureMeans): Promise<CaptureOutcome> {
  const { callerIdentity } = job;
  if (callerIdentity === null) return failed('The page takes its own pictures without a stream.');
  if (!room) return failed(NOT_IN_ROOM);
  try {
    const { jpeg, sha256, entities } = await draw(job);
    const attributes: CaptureStreamAttributes = {
      request_id: job.streamId,
      width: String(job.widthPx),
      height: String(job.heightPx),
      camera: job.camera,
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
    return failed(captureFailure(error));
  }
}

/**
 * Returns the sentence of an error: its own when it was written for callers; the text of any other fault is not shown to them.
 */
export const captureFailure = (error: unknown): string =>
  error instanceof SentenceError ? error.message : 'The picture could not be drawn and sent. Ask again.';

const failed = (message: string): CaptureOutcome => ({ ok: false, message });
