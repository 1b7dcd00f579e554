import { useLayoutEffect, useMemo, useRef } from 'react';
import type { PerspectiveCamera } from 'three';
import type { Vec3 } from '../../../../protocol/wire/geometry.ts';
import { isOfKind, type ScenePlace } from '../../../../protocol/wire/place.ts';
import { useEngine } from '../../common/engine-context.ts';
import { STEP, useFrameStep, usePicture } from '../picture/picture.ts';
import type { Anchors, AnchorView } from './anchors.ts';
import { blockersOf, fixedTargets, isHidden } from './picking.ts';

/** Moves labels and cards to their objects in a picture at the moment it is shown. */
export function AnchorPlacer({ layout, anchors }: { layout: ScenePlace; anchors: Anchors }) {
  const { frames } = useEngine();
  const { picture, size } = usePicture();
  const tall = useMemo(() => fixedTargets(layout).filter(({ id }) => isOfKind(layout, id, 'rack')), [layout]);
  const sizeNow = useRef(size);
  // The previous picture is cropped to the new size, so labels would be beside the wrong position.
  useLayoutEffect(() => {
    if (sizeNow.current === size) return;
    sizeNow.current = size;
    anchors.outdate();
  }, [size, anchors]);
  useFrameStep(STEP.anchors, () => {
    const blockers = blockersOf(tall, frames.latest(), layout);
    const viewFrom = (camera: PerspectiveCamera): AnchorView => ({
      camera,
      widthPx: size.width,
      heightPx: size.height,
      isHidden: (eye: Vec3, point: Vec3) => isHidden(eye, point, blockers, ''),
    });
    picture.eye.updateMatrixWorld();
    const place = anchors.prepare(viewFrom(picture.eye));
    return () => {
      if (sizeNow.current === size) place(viewFrom(picture.shownEye));
    };
  });
  return null;
}
