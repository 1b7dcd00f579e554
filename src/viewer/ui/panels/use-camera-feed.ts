import { type RefObject, useEffect, useRef, useState } from 'react';
import { useEngine } from '../common/engine-context.ts';
import { usePageVisible } from '../common/hooks.ts';
import { isPictureWork } from '../common/picture-work.ts';

interface FeedSize {
  widthPx: number;
  heightPx: number;
  /** Pause between a picture and the next request. */
  everyMs: number;
}

interface CameraFeed {
  canvas: RefObject<HTMLCanvasElement | null>;
  state: 'waiting' | 'showing';
  /** A sentence, if the last picture failed. */
  problem: string | null;
}

/** Draws a camera's pictures into a canvas, one after the other, while it is active and the page is visible. */
export function useCameraFeed(camera: string, { widthPx, heightPx, everyMs }: FeedSize, active: boolean): CameraFeed {
  const engine = useEngine();
  const visible = usePageVisible();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<CameraFeed['state']>('waiting');
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    if (!active || !visible) return;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async () => {
      if (isPictureWork(engine.store.getState().actions, Date.now(), everyMs)) {
        timer = setTimeout(() => void refresh(), everyMs);
        return;
      }
      try {
        const picture = await createImageBitmap(await engine.capture(camera, widthPx, heightPx));
        if (!ended) {
          canvas.current?.getContext('2d')?.drawImage(picture, 0, 0, widthPx, heightPx);
          setState('showing');
          setProblem(null);
        }
        picture.close();
      } catch (error) {
        if (!ended) setProblem(error instanceof Error ? error.message : 'The picture could not be taken.');
      }
      if (!ended) timer = setTimeout(() => void refresh(), everyMs);
    };
    void refresh();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [engine, camera, widthPx, heightPx, everyMs, active, visible]);

  return { canvas, state: problem === null ? state : 'showing', problem };
}
