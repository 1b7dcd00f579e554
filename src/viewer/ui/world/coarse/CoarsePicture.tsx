import { useEffect, useRef, useState } from 'react';
import type { ScenePlace } from '../../../../protocol/wire/place.ts';
import type { RenderState } from '../../../../protocol/wire/render-state.ts';
import type { Obstacle } from '../../../../protocol/wire/scene.ts';
import { useEngine, useViewer } from '../../common/engine-context.ts';
import { useUi } from '../../common/ui-store.ts';
import { robotFocus, startEye, VERTICAL_FOV_DEG } from '../picture/eye.ts';
import { samePicture } from '../picture/same-picture.ts';
import { armShare, viewBlockers } from '../view/view-arm.ts';
import { type CoarseView, coarseShapes } from './shapes.ts';
import { type CoarseSolid, movingSolids, placeSolids } from './solids.ts';

/** The picture is small and scaled up. Its soft edges show that the real one is still loading. */
const PIXEL_SHARE = 0.5;
/**
 * Interval at which a moving robot is redrawn. The shapes of a scene of 200 boxes take 12 ms on the machine of
 * docs/reference/measured.md.
 */
const REDRAW_MS = 400;
/** The real picture fades in over it in this time, from `world.css`. */
const FADE_MS = 320;

/**
 * The scene as plain boxes, in the view with which the real picture starts. It needs no WebGL, so it appears together with the
 * robot. Without a graphics card, three.js, shaders and textures take seconds. It is removed once the real picture is drawn.
 * @param coveredRightPx pixels at the right that a panel covers
 */
export function CoarsePicture({ coveredRightPx }: { coveredRightPx: number }) {
  const engine = useEngine();
  useViewer((state) => state.layoutVersion);
  const isDrawn = useUi((state) => state.worldDrawn);
  const [isCovered, setCovered] = useState(false);
  useEffect(() => {
    if (!isDrawn) return setCovered(false);
    const timer = setTimeout(() => setCovered(true), FADE_MS);
    return () => clearTimeout(timer);
  }, [isDrawn]);
  return engine.layout() === null || (isDrawn && isCovered) ? null : <CoarseCanvas coveredRightPx={coveredRightPx} />;
}

function CoarseCanvas({ coveredRightPx }: { coveredRightPx: number }) {
  const engine = useEngine();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = canvasRef.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    let handle = 0;
    let drawnAtMs = Number.NEGATIVE_INFINITY;
    let drawn: RenderState | null = null;
    let place: { layout: ScenePlace; solids: readonly CoarseSolid[]; blockers: readonly Obstacle[] } | null = null;
    let size = '';
    const look = (nowMs: number) => {
      handle = requestAnimationFrame(look);
      const state = engine.frames.latest();
      const layout = engine.layout();
      if (!state || !layout || nowMs - drawnAtMs < REDRAW_MS) return;
      const { clientWidth, clientHeight } = canvas;
      const sizeNow = `${clientWidth} × ${clientHeight}`;
      if (drawn && place?.layout === layout && size === sizeNow && samePicture(shown(state), drawn)) return;
      [drawnAtMs, drawn, size] = [nowMs, shown(state), sizeNow];
      if (place?.layout !== layout) place = { layout, solids: placeSolids(layout), blockers: viewBlockers(layout) };
      canvas.width = Math.round(clientWidth * PIXEL_SHARE);
      canvas.height = Math.round(clientHeight * PIXEL_SHARE);
      const target = robotFocus(state);
      const wished = startEye(target);
      const share = armShare(target, wished, place.blockers);
      const view: CoarseView = {
        eye: [target[0] + share * (wished[0] - target[0]), target[1] + share * (wished[1] - target[1]), wished[2]],
        target,
        verticalFovDeg: VERTICAL_FOV_DEG,
        widthPx: canvas.width,
        heightPx: canvas.height,
        asidePx: (-coveredRightPx * PIXEL_SHARE) / 2,
      };
      paint(context, coarseShapes([...place.solids, ...movingSolids(state, layout)], view));
      if (canvas.parentElement) canvas.parentElement.dataset.drawn = '';
    };
    handle = requestAnimationFrame(look);
    return () => cancelAnimationFrame(handle);
  }, [engine, coveredRightPx]);
  return (
    <div className="coarse" aria-hidden>
      <canvas ref={canvasRef} />
    </div>
  );
}

/** Returns a state without the parts that the boxes do not show: the rubber of a belt. */
const shown = (state: RenderState): RenderState => ({ ...state, fixtures: [] });

function paint(context: CanvasRenderingContext2D, shapes: ReturnType<typeof coarseShapes>): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const shape of shapes) {
    context.beginPath();
    for (const [x, y] of shape.points) context.lineTo(x, y);
    if (shape.kind === 'polygon') {
      context.fillStyle = shape.css;
      context.fill();
    } else {
      context.strokeStyle = shape.css;
      context.lineWidth = shape.widthPx;
      context.stroke();
    }
  }
}
