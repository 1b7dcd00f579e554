import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { PerspectiveCamera } from 'three';
import { openPicture, type PictureClient } from '../../../../cameras/picture/picture-client.ts';
import type { PictureFrame } from '../../../../cameras/picture/picture-messages.ts';
import { EYE, EYE_START } from './eye.ts';
import { createFrameSteps, type Picture, PictureProvider, type PictureSize } from './picture.ts';
import type { PersonSource, PictureProps } from './picture-props.ts';

/** The picture drawn by a worker, for software rendering: a frame takes long, and the page stays responsive meanwhile. */
export function WorkerPicture({
  layout,
  level,
  source,
  label,
  viewMoved,
  children,
}: PictureProps & { viewMoved: { current: boolean } }) {
  const holder = useRef<HTMLDivElement>(null);
  const opened = useOpened(holder);
  const size = useSize(holder);
  const { stage: quality, shadows } = level;
  useEffect(() => {
    opened?.client.setStage({ layout, quality, shadows });
    viewMoved.current = true;
  }, [opened, layout, quality, shadows, viewMoved]);
  const sizeNow = useRef(size);
  useEffect(() => {
    sizeNow.current = size;
  }, [size]);
  const picture = useMemo(() => opened && workerPicture(opened, source, sizeNow), [opened, source]);
  const value = useMemo(() => picture && size && { picture, size }, [picture, size]);
  return (
    <>
      <div ref={holder} className="world-canvas" role="img" aria-label={label} />
      {value && <PictureProvider value={value}>{children}</PictureProvider>}
    </>
  );
}

interface Opened {
  client: PictureClient;
  canvas: HTMLCanvasElement;
}

/** Opens a worker that draws on a canvas in the holder. A canvas can be transferred only once, so each worker has its own. */
function useOpened(holder: RefObject<HTMLElement | null>): Opened | null {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  useEffect(() => {
    const canvas = document.createElement('canvas');
    holder.current?.append(canvas);
    const client = openPicture({
      canvas: canvas.transferControlToOffscreen(),
      onEnd(end) {
        // The code that keeps the world drawn receives the same event as for a canvas that the page draws itself.
        if (end === 'lost') canvas.dispatchEvent(new Event('webglcontextlost'));
        else setProblem(new Error('The world cannot be drawn beside the page.'));
      },
    });
    setOpened({ client, canvas });
    return () => {
      client.dispose();
      canvas.remove();
    };
  }, [holder]);
  if (problem) throw problem;
  return opened;
}

/** Returns the size of an element; null until it is known. */
function useSize(holder: RefObject<HTMLElement | null>): PictureSize | null {
  const [size, setSize] = useState<PictureSize | null>(null);
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [holder]);
  return size;
}

function workerPicture({ client, canvas }: Opened, source: PersonSource, size: RefObject<PictureSize | null>): Picture {
  const eye = new PerspectiveCamera(EYE.verticalFovDeg, 1, EYE.nearM, EYE.farM);
  eye.up.set(0, 0, 1);
  eye.position.set(...EYE_START);
  eye.lookAt(0, 0, 0);
  const shownEye = eye.clone();
  let pixelRatio = 0;
  return {
    eye,
    shownEye,
    canvas,
    steps: createFrameSteps(),
    pixelRatio: () => pixelRatio,
    isDrawing: () => client.isDrawing(),
    draw({ timeS, pixelRatio: wanted }, onShown) {
      if (!size.current) return;
      eye.updateMatrixWorld();
      const from = eye.clone();
      const { width: widthPx, height: heightPx } = size.current;
      client.draw({ ...frameOf(source, eye), widthPx, heightPx, pixelRatio: wanted, timeS }, (costMs) => {
        pixelRatio = wanted;
        shownEye.copy(from);
        onShown(costMs);
      });
    },
  };
}

const frameOf = (
  source: PersonSource,
  eye: PerspectiveCamera,
): Omit<PictureFrame, 'widthPx' | 'heightPx' | 'pixelRatio' | 'timeS'> => ({
  renderState: source.latest(),
  overlay: source.overlay(),
  markers: source.markers(),
  statusLight: source.statusLight(),
  inHead: source.eye() === 'pov',
  eyeInWorld: eye.matrixWorld.toArray(),
  projection: eye.projectionMatrix.toArray(),
});
