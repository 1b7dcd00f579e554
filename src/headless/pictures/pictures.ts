/** The cameras of all robots of a process. */

import { join } from 'node:path';
import { CameraError } from '../../cameras/camera-error.ts';
import { WorkerLink } from '../../cameras/worker-link.ts';
import { SentenceError } from '../../common/sentence-error.ts';
import { DRAWING_BROKE_TWICE } from '../../protocol/texts/headless-texts.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { CaptureJob } from '../../runtime/action-record.ts';
import type { DrawnPicture } from '../../runtime/host/carry-out-capture.ts';
import { createDrawingBrowser, type DrawingBrowser, type DrawingBrowserOptions } from './drawing-browser.ts';

/** The inputs of the drawing of a capture. */
export type PictureOrder = Pick<CaptureJob, 'renderState' | 'camera' | 'widthPx' | 'heightPx' | 'quality' | 'annotations'>;

/** Draws what cameras see, in a browser that the robots of this process share. */
export interface Pictures {
  /** Settles when pictures of a place are as quick as later ones. @throws Error with a sentence */
  ready(place: ScenePlace): Promise<void>;
  /**
   * Draws a state as the tab does. Pictures of one place are drawn one after the other, in the order of the calls. A browser that breaks is
   * started again, once for each picture.
   * @throws Error with a sentence
   */
  draw(place: ScenePlace, order: PictureOrder): Promise<DrawnPicture>;
  /** Of the browser that runs; null when none does. */
  browserPid(): number | null;
  /** Releases the pictures. With the last release the browser ends; settles when it has ended. */
  close(): Promise<void>;
}

/** A camera worker that knows a place. */
interface Studio {
  link: WorkerLink;
  warm: Promise<unknown> | null;
  busy: number;
}

/** Time limits for the worker's answers, the start of a browser included. Without a graphics card, and with other work beside it, a machine is slow. */
const LAYOUT_TIMEOUT_MS = 60_000;
const WARM_UP_TIMEOUT_MS = 60_000;
const CAPTURE_TIMEOUT_MS = 20_000;
/** So many places are kept ready; each takes some 100 MB in the browser. */
const STUDIOS_MAX = 3;
/** The built page; `src/` and `compiled/` lie equally deep. */
const DIST_DIR = join(import.meta.dirname, '../../../dist');

let shared: { pictures: Omit<Pictures, 'close'>; users: number; end(): Promise<void> } | null = null;

/** Takes part in the pictures of this process: the first who does opens them, the last who closes them ends their browser. */
export function openPictures(): Pictures {
  shared ??= { ...createPictures({ distDir: DIST_DIR }), users: 0 };
  const taken = shared;
  taken.users += 1;
  let isClosed = false;
  return {
    ...taken.pictures,
    async close() {
      if (isClosed) return;
      isClosed = true;
      taken.users -= 1;
      if (taken.users > 0) return;
      if (shared === taken) shared = null;
      await taken.end();
    },
  };
}

/** Makes pictures of their own browser. */
export function createPictures(
  options: DrawingBrowserOptions,
  browser: DrawingBrowser = createDrawingBrowser(options),
): { pictures: Omit<Pictures, 'close'>; end(): Promise<void> } {
  /** By place; the one that was asked for last comes last. */
  const studios = new Map<string, Studio>();

  function studioOf(place: ScenePlace): Studio {
    const key = JSON.stringify(place);
    const studio = studios.get(key) ?? newStudio(place);
    studios.delete(key);
    studios.set(key, studio);
    for (const [other, { busy, link }] of studios) {
      if (studios.size <= STUDIOS_MAX) break;
      if (busy > 0 || other === key) continue;
      studios.delete(other);
      link.dispose();
    }
    return studio;
  }

  function newStudio(layout: ScenePlace): Studio {
    const link = new WorkerLink({
      createWorker: () => browser.openWorker(),
      introduction: () => ({ message: (id) => ({ type: 'layout', id, layout }), timeoutMs: LAYOUT_TIMEOUT_MS }),
    });
    return { link, warm: null, busy: 0 };
  }

  async function inStudio<T>(place: ScenePlace, work: (studio: Studio) => Promise<T>): Promise<T> {
    const studio = studioOf(place);
    studio.busy += 1;
    try {
      return await work(studio);
    } catch (thrown) {
      throw thrown instanceof CameraError && thrown.reason === 'worker_lost' ? new SentenceError(DRAWING_BROKE_TWICE) : thrown;
    } finally {
      studio.busy -= 1;
    }
  }

  return {
    pictures: {
      ready: (place) =>
        inStudio(place, async (studio) => {
          studio.warm ??= studio.link.run({ message: (id) => ({ type: 'warm-up', id }), timeoutMs: WARM_UP_TIMEOUT_MS });
          try {
            await studio.warm;
          } catch (thrown) {
            studio.warm = null;
            throw thrown;
          }
        }),
      draw: (place, { annotations, renderState, camera, widthPx, heightPx, quality }) =>
        inStudio(place, async ({ link }) => {
          const order = { renderState, camera, widthPx, heightPx, quality };
          const capture = await link.run({
            message: (id) => ({ type: 'capture', id, order: { ...order, annotations: annotations ? ['boxes'] : [] } }),
            timeoutMs: CAPTURE_TIMEOUT_MS,
          });
          if (capture === null) throw CameraError.failed('the worker answered without a picture');
          return capture;
        }),
      browserPid: () => browser.pid(),
    },
    async end() {
      for (const { link } of studios.values()) link.dispose();
      studios.clear();
      await browser.close();
    },
  };
}
