import { Canvas, useThree } from '@react-three/fiber';
import { type ReactNode, useMemo } from 'react';
import { PerspectiveCamera } from 'three';
import { StageScene } from '../../../../stage/StageScene.tsx';
import { EYE, EYE_START } from './eye.ts';
import { createFrameSteps, type Picture, PictureProvider } from './picture.ts';
import type { PictureProps } from './picture-props.ts';
import { useStage } from './use-stage.ts';

/** The picture drawn by the page itself, with a GPU: labels and picture move within one frame. */
export function PagePicture({ layout, level, antialias, source, label, children }: PictureProps & { antialias: boolean }) {
  const built = useStage(layout, level.stage);
  if (!built) return null;
  return (
    <Canvas
      aria-label={label}
      role="img"
      frameloop="never"
      dpr={1}
      gl={{ antialias, powerPreference: 'high-performance' }}
      shadows={level.shadows}
      camera={{ position: [...EYE_START], up: [0, 0, 1], fov: EYE.verticalFovDeg, near: EYE.nearM, far: EYE.farM }}
    >
      <StageScene
        layout={built.layout}
        source={source}
        audience="people"
        quality={built.quality}
        shadows={level.shadows}
        stage={built.stage}
      />
      <OfThisCanvas>{children}</OfThisCanvas>
    </Canvas>
  );
}

/** Passes the canvas to the parts of the picture. */
function OfThisCanvas({ children }: { children: ReactNode }) {
  const renderer = useThree((state) => state.gl);
  const camera = useThree((state) => state.camera);
  const advance = useThree((state) => state.advance);
  const size = useThree((state) => state.size);
  const picture = useMemo((): Picture | null => {
    if (!(camera instanceof PerspectiveCamera)) return null;
    return {
      eye: camera,
      shownEye: camera,
      canvas: renderer.domElement,
      steps: createFrameSteps(),
      pixelRatio: () => renderer.getPixelRatio(),
      isDrawing: () => false,
      draw({ timeS, pixelRatio }, onShown) {
        if (renderer.getPixelRatio() !== pixelRatio) renderer.setPixelRatio(pixelRatio);
        // With frameloop 'never' the root's clock takes the time passed here: seconds, as everything drawn expects.
        advance(timeS);
        onShown(null);
      },
    };
  }, [renderer, camera, advance]);
  const value = useMemo(() => picture && { picture, size }, [picture, size]);
  return value && <PictureProvider value={value}>{children}</PictureProvider>;
}
