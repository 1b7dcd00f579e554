import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { CaptureJob, CaptureOutcome } from '../../runtime/action-record.ts';
import { captureFailure } from '../../runtime/host/carry-out-capture.ts';
import type { Pictures } from './pictures.ts';

/** The captures of a simulation whose time stands while one is drawn. */
export interface StandingCaptures {
  start(job: CaptureJob): void;
  isDrawing(): boolean;
  /** Keeps the bytes of the capture of this stream until `take`. */
  want(streamId: string): void;
  /** Hands over the bytes; null when there is no such picture. */
  take(streamId: string): Uint8Array | null;
  /** The robot starts from scratch: pictures that are being drawn have no receiver. */
  forget(): void;
}

/** The inputs of a simulation for its captures. */
export interface StandingCapturesDeps {
  pictures: Pictures;
  place(): ScenePlace;
  /** A picture was drawn or could not be. */
  finish(actionId: string, outcome: CaptureOutcome): void;
}

export function createStandingCaptures({ pictures, place, finish }: StandingCapturesDeps): StandingCaptures {
  let underWay = new Set<CaptureJob>();
  const wanted = new Map<string, Uint8Array | null>();

  async function drawn(job: CaptureJob, ofRobot: ReadonlySet<CaptureJob>): Promise<CaptureOutcome> {
    try {
      const { jpeg, entities } = await pictures.draw(place(), job);
      if (ofRobot === underWay && wanted.has(job.streamId)) wanted.set(job.streamId, jpeg);
      return { ok: true, byteLength: jpeg.byteLength, ...(entities ? { entities } : {}) };
    } catch (thrown) {
      return { ok: false, message: captureFailure(thrown) };
    }
  }

  return {
    start(job) {
      const ofRobot = underWay;
      ofRobot.add(job);
      void drawn(job, ofRobot).then((outcome) => {
        ofRobot.delete(job);
        if (ofRobot === underWay) finish(job.actionId, outcome);
      });
    },
    isDrawing: () => underWay.size > 0,
    want(streamId) {
      wanted.set(streamId, null);
    },
    take(streamId) {
      const jpeg = wanted.get(streamId) ?? null;
      wanted.delete(streamId);
      return jpeg;
    },
    forget() {
      underWay = new Set();
      wanted.clear();
    },
  };
}
