import { SentenceError } from '../../common/sentence-error.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { CaptureJob } from '../../runtime/action-record.ts';
import { createCaptureQueue } from '../../runtime/host/capture-queue.ts';
import { type CaptureMeans, captureFailure, carryOutCapture, type DrawnPicture } from '../../runtime/host/carry-out-capture.ts';
import type { HostMessage } from '../../runtime/host/simulation-host.ts';
import type { Log } from '../log.ts';
import { pause } from './wait.ts';

/** Renders for the cameras of a body. Both methods reject with a sentence. */
export interface BodyPictures {
  /** Settles when pictures of this place can be taken. */
  ready(place: ScenePlace): Promise<void>;
  draw(place: ScenePlace, job: CaptureJob): Promise<DrawnPicture>;
}

export interface BodyCamerasDeps {
  pictures: BodyPictures;
  /** The place of the robot; null while there is none. */
  place(): ScenePlace | null;
  room: NonNullable<CaptureMeans['room']>;
  report(message: HostMessage): void;
  log: Log;
}

/**
 * The cameras of a body with an external renderer. A body without working cameras still counts as a robot: its captures fail with
 * a sentence.
 */
export interface BodyCameras {
  /** Prepares the cameras, and reports when they are ready. Retries failures at growing intervals. */
  prepare(): Promise<void>;
  start(job: CaptureJob): void;
  close(): void;
}

/** The wait before a retry of cameras that failed to start; each wait is twice the previous one. */
const FIRST_WAIT_MS = 5_000;
const LAST_WAIT_MS = 60_000;

export function openBodyCameras({ pictures, place, room, report, log }: BodyCamerasDeps): BodyCameras {
  const closing = new AbortController();

  async function draw(job: CaptureJob): Promise<DrawnPicture> {
    const here = place();
    if (here === null) throw new SentenceError('The robot ends. Ask again when it is back.');
    return pictures.draw(here, job);
  }

  return {
    async prepare() {
      for (let failures = 0; !closing.signal.aborted; failures += 1) {
        const here = place();
        if (here === null) return;
        try {
          await pictures.ready(here);
          if (failures > 0) log({ level: 'info', event: 'cameras_ready' });
          report({ kind: 'cameras', cameras: { kind: 'ready' } });
          return;
        } catch (thrown) {
          if (closing.signal.aborted) return;
          const message = captureFailure(thrown);
          log({ level: 'warn', event: 'cameras_broken', attempt: failures + 1, message });
          report({ kind: 'cameras', cameras: { kind: 'broken', message } });
          await pause(Math.min(FIRST_WAIT_MS * 2 ** failures, LAST_WAIT_MS), closing.signal);
        }
      }
    },
    start: createCaptureQueue(async (job) => {
      const outcome = await carryOutCapture(job, { draw, room });
      report({ kind: 'capture-finished', actionId: job.actionId, outcome });
    }),
    close: () => closing.abort(),
  };
}
