import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ScenePlace } from '../../../protocol/wire/place.ts';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { useUi, useUiStore } from '../common/ui-store.ts';
import { useViewAccess } from '../common/view-access.ts';
import { PANEL_COVERS_PX } from './picture/eye.ts';
import { FramePacer } from './picture/FramePacer.tsx';
import { PagePicture } from './picture/PagePicture.tsx';
import type { PictureProps } from './picture/picture-props.ts';
import { pictureWaits } from './picture/picture-waits.ts';
import { levelAt, levelFor, storedQuality } from './picture/quality.ts';
import { detectRendering, drawsInWorker } from './picture/rendering.ts';
import { useFrameSource } from './picture/use-frame-source.ts';
import { useQualityGovernor } from './picture/use-quality-governor.ts';
import { WorkerPicture } from './picture/WorkerPicture.tsx';
import { AnchorPlacer } from './things/AnchorPlacer.tsx';
import { createAnchors } from './things/anchors.ts';
import { EntityCard } from './things/EntityCard.tsx';
import { Labels } from './things/Labels.tsx';
import { Picker } from './things/Picker.tsx';
import { ViewBar } from './view/ViewBar.tsx';
import { ViewCamera } from './view/ViewCamera.tsx';
import { useViewKeys } from './view/view-keys.ts';
import { WorldMissing, WorldPending } from './WorldBoundary.tsx';

/** The world, as large as the page, with its labels, the card of the clicked object, and the bar that moves the view. */
export function WorldView({ panelShown }: { panelShown: boolean }) {
  const engine = useEngine();
  const rendering = detectRendering();
  const cannotDraw = rendering === 'none';
  const live = useViewer((state) => state.phase === 'live');
  const isUnknown = useViewer(({ visit }) => Boolean(visit?.problem));
  const waitsForRobot = useViewer(pictureWaits);
  const ui = useUiStore();
  const access = useViewAccess();
  const hasPanels = useUi(({ panelTabs }) => panelTabs?.length !== 0);
  const cardBeside = useUi((state) => state.cardBeside);
  const quality = useUi((state) => state.quality);
  const [resets, setResets] = useState(0);
  const drawn = useUi((state) => state.worldDrawn);
  const viewMoved = useRef(true);
  const inHead = useRef(false);
  const anchors = useMemo(createAnchors, []);
  const showDrawn = useCallback(() => ui.setState({ worldDrawn: true }), [ui]);
  const reset = useCallback(() => {
    ui.setState({ view: 'orbit', following: true });
    setResets((count) => count + 1);
  }, [ui]);
  const source = useFrameSource(inHead, viewMoved);
  const layout = useLastLayout();
  const software = rendering === 'software';
  const waits = cannotDraw || (software && waitsForRobot && !drawn);
  const { governor, learned } = useQualityGovernor();
  const level = levelAt(levelFor(quality, rendering, learned));
  useViewKeys(reset);

  useEffect(() => ui.setState({ quality: storedQuality() }), [ui]);
  useEffect(() => () => ui.setState({ worldDrawn: false }), [ui]);
  // With software rendering, blurred panels over the picture would double its work.
  useEffect(() => {
    document.documentElement.dataset.rendering = rendering;
    access.cannotDraw = cannotDraw;
  }, [rendering, cannotDraw, access]);
  useEffect(() => {
    if (drawn || cannotDraw) engine.pictureIsShown?.();
  }, [drawn, cannotDraw, engine]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-world', drawn);
    return () => document.documentElement.removeAttribute('data-world');
  }, [drawn]);

  if (cannotDraw)
    return (
      <WorldMissing
        sentence={`This browser cannot draw 3D (WebGL 2 is off), so the scene is shown in plain boxes. The robot works as ever${hasPanels ? ': the panels show what it does' : ''}.`}
      />
    );
  // The drawn world would differ from the robot's. A notice shows why nothing is drawn.
  if (isUnknown && !engine.layout()) return <div className="world world-missing" />;
  if (!layout || waits) return live ? <WorldPending /> : null;
  const coveredRightPx = panelShown || cardBeside ? PANEL_COVERS_PX : 0;
  const picture: PictureProps = {
    layout,
    level,
    source,
    label: 'The scene with the robot. The Scene tab lists what is in it.',
    children: (
      <>
        <ViewCamera layout={layout} resets={resets} coveredRightPx={coveredRightPx} viewMoved={viewMoved} inHead={inHead} />
        <AnchorPlacer layout={layout} anchors={anchors} />
        <Picker layout={layout} />
        <FramePacer
          software={software}
          pixelRatio={level.pixelRatio}
          coarse={quality === 'low'}
          governor={software || quality !== 'auto' ? null : governor}
          viewMoved={viewMoved}
          onFirstFrame={showDrawn}
        />
      </>
    ),
  };
  return (
    <>
      <div className="world" data-drawn={drawn}>
        {drawsInWorker(rendering) ? (
          <WorkerPicture {...picture} viewMoved={viewMoved} />
        ) : (
          <PagePicture {...picture} antialias={!software} />
        )}
        {live && <Labels layout={layout} anchors={anchors} />}
        {live && <EntityCard anchors={anchors} coveredRightPx={coveredRightPx} />}
      </div>
      {live && !drawn && <WorldPending />}
      {live && <ViewBar rendering={rendering} learnedLevel={learned} onReset={reset} />}
    </>
  );
}

/** Returns the place. While a restarting world has reported none yet, returns the previous one. */
function useLastLayout(): ScenePlace | null {
  const engine = useEngine();
  // A new scene has a new layout, so it is read at every render.
  useViewer((state) => state.layoutVersion);
  const layout = engine.layout();
  const [last, setLast] = useState(layout);
  if (layout && layout !== last) setLast(layout);
  return layout ?? last;
}
