import { Canvas } from '@react-three/fiber';
import { LocateFixed, RotateCcw } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { StageScene } from '../../../stage/StageScene.tsx';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { useUi, useUiStore } from '../common/ui-store.ts';
import { camerasGetReady } from './cameras-first.ts';
import { FramePacer } from './FramePacer.tsx';
import { detectRendering } from './rendering.ts';
import { useStage } from './use-stage.ts';
import { ViewCamera } from './ViewCamera.tsx';
import { DEFAULT_VIEW_OFFSET, VERTICAL_FOV_DEG } from './view.ts';
import { WorldMissing } from './WorldBoundary.tsx';

/** Width of the drawer with its margins, as `interface.css` has it. */
const PANEL_COVERS_PX = 384;

/** The world, as large as the page, and the two buttons that move the view. */
export function WorldView({ panelShown }: { panelShown: boolean }) {
  const engine = useEngine();
  const rendering = detectRendering();
  const layoutVersion = useViewer((state) => state.layoutVersion);
  const live = useViewer((state) => state.phase === 'live');
  const camerasFirst = useViewer(camerasGetReady);
  const ui = useUiStore();
  const following = useUi((state) => state.following);
  const [resets, setResets] = useState(0);
  const [drawn, setDrawn] = useState(false);
  const viewMoved = useRef(true);
  const showDrawn = useCallback(() => setDrawn(true), []);
  const layout = engine.layout();
  const software = rendering === 'software';
  const waits = rendering === 'none' || (software && camerasFirst && !drawn);
  const stage = useStage(waits ? null : layout, software ? 'low' : 'high');

  // Blurred panels over a picture that the processor draws would double its work.
  useEffect(() => {
    document.documentElement.dataset.rendering = rendering;
  }, [rendering]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-world', drawn);
    return () => document.documentElement.removeAttribute('data-world');
  }, [drawn]);

  if (rendering === 'none')
    return (
      <WorldMissing sentence="This browser draws no 3D (WebGL 2 is off). The robot works all the same: the panels tell what it does." />
    );
  if (!layout || !stage || waits) return null;
  return (
    <>
      <div className="world" data-drawn={drawn}>
        <Canvas
          aria-label="The hall with the robot. The Scene tab lists what is in it."
          role="img"
          frameloop="never"
          dpr={software ? 1 : [1, 2]}
          gl={{ antialias: !software, powerPreference: 'high-performance' }}
          shadows={!software}
          camera={{ position: [...DEFAULT_VIEW_OFFSET], up: [0, 0, 1], fov: VERTICAL_FOV_DEG, near: 0.05, far: 60 }}
        >
          <StageScene
            key={layoutVersion}
            layout={layout}
            source={engine.frames}
            audience="people"
            quality={software ? 'low' : 'high'}
            stage={stage}
          />
          <ViewCamera
            layout={layout}
            following={following}
            resets={resets}
            coveredRightPx={panelShown ? PANEL_COVERS_PX : 0}
            viewMoved={viewMoved}
          />
          <FramePacer software={software} viewMoved={viewMoved} onFirstFrame={showDrawn} />
        </Canvas>
      </div>
      {live && (
        <fieldset className="view-buttons" aria-label="View">
          <button
            type="button"
            className="view-button"
            aria-pressed={following}
            onClick={() => ui.setState({ following: !following })}
          >
            <LocateFixed size={16} aria-hidden />
            <span className="view-words">Follow</span>
          </button>
          <button type="button" className="view-button" onClick={() => setResets((count) => count + 1)}>
            <RotateCcw size={16} aria-hidden />
            <span className="view-words">Reset view</span>
          </button>
        </fieldset>
      )}
    </>
  );
}
