import { SentenceError } from '../common/sentence-error.ts';

export type CameraErrorReason = 'timeout' | 'worker_lost' | 'failed' | 'disposed';

/** A picture that could not be taken. The message is a sentence for the caller. */
export class CameraError extends SentenceError {
  override name = 'CameraError';
  readonly reason: CameraErrorReason;

  private constructor(reason: CameraErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }

  /** The worker failed twice to answer in time. Ask again later, or for a smaller picture. */
  static timeout(timeoutMs: number): CameraError {
    return new CameraError(
      'timeout',
      `The cameras did not answer within ${timeoutMs / 1000} s, twice. Ask again, or for a smaller picture.`,
    );
  }

  /** The worker or its WebGL context broke, and so did its successor. */
  static workerLost(detail: string): CameraError {
    return new CameraError(
      'worker_lost',
      `The cameras lost their drawing context twice (${detail}). Ask again; reload the page if it happens again.`,
    );
  }

  /** Drawing or encoding failed. */
  static failed(detail: string): CameraError {
    return new CameraError('failed', `The picture could not be drawn (${detail.replace(/\.$/, '')}). Ask again.`);
  }

  /** The cameras were closed before the picture was taken. */
  static disposed(): CameraError {
    return new CameraError('disposed', 'The cameras are closed. Open the robot again before asking for a picture.');
  }
}
