import { createRoot, extend, type RootState } from '@react-three/fiber';
import { Component, createElement, type ReactNode, useEffect } from 'react';
import { DirectionalLight, HemisphereLight, type PerspectiveCamera } from 'three';
import { StageScene, type StageSceneProps } from '../stage/StageScene.tsx';

/** The stage on a canvas of a worker, drawn when it is told to and never by itself. */
export interface StageRoot {
  /** Puts the stage up, in the place of the one before. Resolves when it stands. */
  show(props: StageSceneProps): Promise<void>;
  /** @throws before a stage stands */
  state(): RootState;
}

/** @param camera placed by whoever draws; the root leaves it alone */
export async function openStageRoot(
  canvas: OffscreenCanvas,
  camera: PerspectiveCamera,
  { antialias }: { antialias: boolean },
): Promise<StageRoot> {
  // The elements that the stage names in JSX; everything else in it is a primitive.
  extend({ DirectionalLight, HemisphereLight });
  const root = createRoot(canvas);
  await root.configure({
    frameloop: 'never',
    dpr: 1,
    size: { width: canvas.width, height: canvas.height, top: 0, left: 0 },
    gl: { antialias, alpha: false, powerPreference: 'high-performance' },
    camera: Object.assign(camera, { manual: true }),
  });
  let store: ReturnType<typeof root.render> | null = null;
  return {
    async show(props) {
      await new Promise<void>((resolve, reject) => {
        store = root.render(
          createElement(
            Boundary,
            { key: props.layout.scene_id, onError: reject },
            createElement(StageScene, props),
            // After the stage, so that its effect runs when the stage's have.
            createElement(Mounted, { onMounted: resolve }),
          ),
        );
      });
    },
    state() {
      if (!store) throw new Error('the place is not known yet.');
      return store.getState();
    },
  };
}

/** Every call of `show` brings a function of its own, and is told by it. */
function Mounted({ onMounted }: { onMounted: () => void }): null {
  useEffect(onMounted, [onMounted]);
  return null;
}

/** Reports what breaks while the stage is built. */
class Boundary extends Component<{ onError: (error: Error) => void; children?: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }
  override componentDidCatch(error: Error): void {
    this.props.onError(error);
  }
  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children;
  }
}
