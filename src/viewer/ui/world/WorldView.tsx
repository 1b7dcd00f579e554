import { Canvas } from '@react-three/fiber';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { StageScene } from '../../../stage/StageScene.tsx';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { useUi, useUiStore } from '../common/ui-store.ts';
import { AnchorPlacer } from './AnchorPlacer.tsx';
import { createAnchors } from './anchors.ts';
import { camerasGetReady } from './cameras-first.ts';
import { EntityCard } from './EntityCard.tsx';
import { FramePacer } from './FramePacer.tsx';
import { Labels } from './Labels.tsx';
import { Picker } from './Picker.tsx';
import { levelAt, levelFor, storedQuality } from './quality.ts';
import { detectRendering } from './rendering.ts';
import { useFrameSource } from './use-frame-source.ts';
import { useQualityGovernor } from './use-quality-governor.ts';
import { useStage } from './use-stage.ts';
import { ViewBar } from './ViewBar.tsx';
import { ViewCamera } from './ViewCamera.tsx';
import { DEFAULT_VIEW_OFFSET, VERTICAL_FOV_DEG } from './view.ts';
import { useViewKeys } from './view-keys.ts';
import { WorldMissing, WorldPending } from './WorldBoundary.tsx';

/** Width of the drawer with its margins, as `interface.css` has it. */
const PANEL_COVERS_PX = 384;

/** The world, as large as the page, with its names, the card of what was clicked, and the bar that moves the view. */
export function WorldView({ panelShown }: { panelShown: boolean }) {
  const engine = useEngine();
  const rendering = detectRendering();
  const live = useViewer((state) => state.phase === 'live');
  const camerasFirst = useViewer(camerasGetReady);
  // A new scene has a new layout: asked for whenever this is drawn anew.
  useViewer((state) => state.layoutVersion);
  const ui = useUiStore();
  const quality = useUi((state) => state.quality);
  const [resets, setResets] = useState(0);
  const [drawn, setDrawn] = useState(false);
  const viewMoved = useRef(true);
  const inHead = useRef(false);
  const anchors = useMemo(createAnchors, []);
  const showDrawn = useCallback(() => setDrawn(true), []);
  const reset = useCallback(() => {
    ui.setState({ view: 'orbit', following: true });
    setResets((count) => count + 1);
  }, [ui]);
  const source = useFrameSource(inHead, viewMoved);
  const layout = engine.layout();
  const software = rendering === 'software';
  const waits = rendering === 'none' || (software && camerasFirst && !drawn);
  const { governor, learned } = useQualityGovernor();
  const level = levelAt(levelFor(quality, rendering, learned));
  const built = useStage(waits ? null : layout, level.stage);
  useViewKeys(reset);

  useEffect(() => ui.setState({ quality: storedQuality(() => localStorage) }), [ui]);
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
  if (!built || waits) return live ? <WorldPending /> : null;
  const coveredRightPx = panelShown ? PANEL_COVERS_PX : 0;
  return (
    <>
      <div className="world" data-drawn={drawn}>
        <Canvas
          aria-label="The hall with the robot. The Scene tab lists what is in it."
          role="img"
          frameloop="never"
          dpr={1}
          gl={{ antialias: !software, powerPreference: 'high-performance' }}
          shadows={level.shadows}
          camera={{ position: [...DEFAULT_VIEW_OFFSET], up: [0, 0, 1], fov: VERTICAL_FOV_DEG, near: 0.05, far: 60 }}
        >
          <StageScene
            layout={built.layout}
            source={source}
            audience="people"
            quality={built.quality}
            shadows={level.shadows}
            stage={built.stage}
          />
          <ViewCamera
            layout={built.layout}
            resets={resets}
            coveredRightPx={coveredRightPx}
            viewMoved={viewMoved}
            inHead={inHead}
          />
          <AnchorPlacer layout={built.layout} anchors={anchors} />
          <Picker layout={built.layout} />
          <FramePacer
            software={software}
            pixelRatio={level.pixelRatio}
            coarse={quality === 'low'}
            governor={software || quality !== 'auto' ? null : governor}
            viewMoved={viewMoved}
            onFirstFrame={showDrawn}
          />
        </Canvas>
        {live && <Labels layout={built.layout} anchors={anchors} />}
        {live && <EntityCard anchors={anchors} coveredRightPx={coveredRightPx} />}
      </div>
      {live && !drawn && <WorldPending />}
      {live && <ViewBar rendering={rendering} learnedLevel={learned} onReset={reset} />}
    </>
  );
}
