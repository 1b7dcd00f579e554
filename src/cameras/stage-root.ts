import { createRoot, extend, type RootState } from '@react-three/fiber';
import { Component, createElement, type ReactNode, useEffect } from 'react';
import { DirectionalLight, HemisphereLight, type PerspectiveCamera } from 'three';
import { StageScene, type StageSceneProps } from '../stage/StageScene.tsx';

/** The stage on a canvas of a worker, drawn only on demand. */
export interface StageRoot {
  /** Shows a stage in place of the previous one. Resolves when it is built. */
  show(props: StageSceneProps): Promise<void>;
  /** @throws before a stage is built */
  state(): RootState;
}

/** @param camera placed by the caller; the root leaves it alone */
export async function openStageRoot(
  canvas: OffscreenCanvas,
  camera: PerspectiveCamera,
  { antialias }: { antialias: boolean },
): Promise<StageRoot> {
  // The elements that the stage names in JSX; all others are primitives.
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
            // Comes after the stage, so that its effect runs after the stage's effects.
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

/** Calls `onMounted` once for every call of `show`, which passes a new function each time. */
function Mounted({ onMounted }: { onMounted: () => void }): null {
  useEffect(onMounted, [onMounted]);
  return null;
}

/** Reports errors from building the stage. */
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
