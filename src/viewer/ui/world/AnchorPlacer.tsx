import { useFrame, useThree } from '@react-three/fiber';
import { useMemo } from 'react';
import { PerspectiveCamera } from 'three';
import type { Vec3 } from '../../../protocol/geometry.ts';
import type { SceneLayout } from '../../../protocol/scene.ts';
import type { Anchors } from './anchors.ts';
import { fixedTargets, isHidden } from './picking.ts';

/** After the view has moved, before the picture is drawn. */
const AFTER_VIEW = -0.5;

/** Brings labels and cards to where their things are in the picture that is drawn next. */
export function AnchorPlacer({ layout, anchors }: { layout: SceneLayout; anchors: Anchors }) {
  const camera = useThree((state) => state.camera);
  const size = useThree((state) => state.size);
  const tall = useMemo(() => fixedTargets(layout).filter(({ id }) => id.startsWith('rack')), [layout]);
  useFrame(() => {
    if (!(camera instanceof PerspectiveCamera)) return;
    camera.updateMatrixWorld();
    anchors.update({
      camera,
      widthPx: size.width,
      heightPx: size.height,
      isHidden: (eye: Vec3, point: Vec3) => isHidden(eye, point, tall, ''),
    });
  }, AFTER_VIEW);
  return null;
}
