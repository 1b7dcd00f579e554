import { useEffect, useMemo, useRef } from 'react';
import { MathUtils, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { ScenePlace } from '../../../../protocol/wire/place.ts';
import type { RenderState } from '../../../../protocol/wire/render-state.ts';
import { useEngine } from '../../common/engine-context.ts';
import { useMediaQuery } from '../../common/hooks.ts';
import { useUi, useUiStore } from '../../common/ui-store.ts';
import { useViewAccess } from '../../common/view-access.ts';
import { catchUp, FARTHEST_M, MAX_POLAR_RAD, NEAREST_M, robotFocus, startEye, VERTICAL_FOV_DEG } from '../picture/eye.ts';
import type { ViewMoved } from '../picture/FramePacer.tsx';
import { STEP, useFrameStep, usePicture } from '../picture/picture.ts';
import { mapBoundsM, mapPlace } from './map-fit.ts';
import { createTopControl, type MapEye } from './top-control.ts';
import { useCovers } from './use-covers.ts';
import { armShare, viewBlockers } from './view-arm.ts';
import {
  applyPose,
  between,
  changeShare,
  fromAbove,
  headPose,
  lookingAt,
  newPose,
  topYawRad,
  VIEW_CHANGE_S,
  type ViewPose,
} from './view-pose.ts';

const FOLLOW_TIME_CONSTANT_S = 0.25;
const ARM_TIME_CONSTANT_S = 0.15;
/** A frame after a pause must not make the view jump. */
const LONGEST_FRAME_S = 0.2;
/** Within this distance the view has caught up, metres. */
const CAUGHT_UP_M = 0.002;

interface ViewCameraProps {
  layout: ScenePlace;
  /** Each new number resets the view. */
  resets: number;
  /** Pixels at the right that a panel covers. The view's centre moves out from under it. */
  coveredRightPx: number;
  viewMoved: ViewMoved;
  /** Set while the eye is inside the robot's head. */
  inHead: { current: boolean };
}

/** Within this distance of the head camera the eye is inside the head, metres. */
const IN_HEAD_M = 0.2;

/**
 * The person's eye: orbits the robot, looks down from above, or looks from its head. It follows the robot on request. The world
 * is z-up.
 */
export function ViewCamera({ layout, resets, coveredRightPx, viewMoved, inHead }: ViewCameraProps) {
  const { frames } = useEngine();
  const ui = useUiStore();
  const access = useViewAccess();
  const view = useUi((state) => state.view);
  const choices = useUi((state) => state.viewChoices);
  const stillness = useMediaQuery('(prefers-reduced-motion: reduce)');
  const {
    picture: { eye, canvas },
    size,
  } = usePicture();
  const step = useMemo(() => new Vector3(), []);
  const goal = useMemo(newPose, []);
  const shown = useMemo(newPose, []);

  const blockers = useMemo(() => viewBlockers(layout), [layout]);
  const covers = useCovers(canvas);

  // The controls move the requested eye. The actual eye moves closer when a part of the scene is in between, and returns
  // automatically.
  const wished = useMemo(() => {
    const made = new PerspectiveCamera(VERTICAL_FOV_DEG);
    made.up.set(0, 0, 1);
    return made;
  }, []);
  const share = useRef(1);

  const orbit = useMemo(() => {
    const made = new OrbitControls(wished);
    made.enableDamping = true;
    made.dampingFactor = 0.12;
    made.screenSpacePanning = false;
    made.minDistance = NEAREST_M;
    made.maxDistance = FARTHEST_M;
    made.maxPolarAngle = MAX_POLAR_RAD;
    return made;
  }, [wished]);
  const top = useMemo(
    () =>
      createTopControl((by) => {
        viewMoved.current = true;
        // A person who drags the floor wants to look at something other than the robot.
        if (by === 'pull' && ui.getState().following) ui.setState({ following: false });
      }),
    [ui, viewMoved],
  );

  useEffect(() => {
    const redraw = () => {
      viewMoved.current = true;
    };
    if (view === 'orbit') {
      orbit.connect(canvas);
      orbit.addEventListener('change', redraw);
    } else if (view === 'top') top.connect(canvas, VERTICAL_FOV_DEG);
    redraw();
    return () => {
      orbit.removeEventListener('change', redraw);
      if (view === 'orbit') orbit.disconnect();
      top.disconnect();
    };
  }, [view, orbit, top, canvas, viewMoved]);

  useEffect(() => {
    access.wake = () => {
      viewMoved.current = true;
    };
    return () => {
      access.wake = null;
      access.shown = null;
    };
  }, [access, viewMoved]);

  /** A change of view in progress: its start, and the time since. */
  const change = useRef<{ from: ViewPose; elapsedS: number } | null>(null);
  const was = useRef({ view, choices, resets: -1, onMap: true });

  /** Resets all views. */
  function begin(focus: Vector3): void {
    orbit.target.copy(focus);
    wished.position.set(...startEye(focus.toArray()));
    top.showMap();
  }

  function follow(focus: Vector3, elapsedS: number): void {
    const rate = stillness ? 1 : catchUp(elapsedS, FOLLOW_TIME_CONSTANT_S);
    step.copy(focus).sub(orbit.target);
    if (step.length() > CAUGHT_UP_M) {
      step.multiplyScalar(rate);
      orbit.target.add(step);
      wished.position.add(step);
      if (view === 'orbit') viewMoved.current = true;
    }
    // The map shows the robot wherever it is.
    if (top.isOnMap()) return;
    step.set(focus.x, focus.y, 0).sub(top.centre);
    if (step.length() > CAUGHT_UP_M) {
      top.centre.addScaledVector(step, rate);
      if (view === 'top') viewMoved.current = true;
    }
  }

  function orbitPose(elapsedS: number, atOnce: boolean): ViewPose {
    orbit.update(elapsedS);
    const free = armShare(orbit.target.toArray(), wished.position.toArray(), blockers);
    const missing = free - share.current;
    share.current += atOnce ? missing : missing * catchUp(elapsedS, ARM_TIME_CONSTANT_S);
    if (Math.abs(missing) > CAUGHT_UP_M) viewMoved.current = true;
    step.lerpVectors(orbit.target, wished.position, share.current);
    // Closer, but at the same height, so that the whole robot stays in the picture.
    step.z = Math.max(step.z, wished.position.z);
    return lookingAt(step, orbit.target, VERTICAL_FOV_DEG, goal);
  }

  /** The place of the map for the current window and panels, recomputed when one of them changes. */
  const map = useMemo(() => {
    const bounds = mapBoundsM(layout);
    const [x, y] = [(bounds.min[0] + bounds.max[0]) / 2, (bounds.min[1] + bounds.max[1]) / 2];
    let found: { yawRad: number; eye: MapEye; asidePx: [number, number] } | null = null;
    return (yawRad: number) => {
      if (found?.yawRad === yawRad) return found;
      const { heightM, area } = mapPlace(bounds, yawRad, MathUtils.degToRad(VERTICAL_FOV_DEG), size, covers);
      const asidePx: [number, number] = [(area.left + area.right - size.width) / 2, (area.top + area.bottom - size.height) / 2];
      found = { yawRad, eye: { x, y, heightM }, asidePx };
      return found;
    };
  }, [layout, size, covers]);

  function topPose(yawRad: number): ViewPose {
    const { eye: mapEye, asidePx } = map(yawRad);
    top.setYaw(yawRad);
    top.setMap(mapEye);
    goal.asidePx.set(...asidePx);
    return fromAbove(top.centre, top.heightM(), yawRad, VERTICAL_FOV_DEG, goal);
  }

  function goalPose(state: RenderState, elapsedS: number, atOnce: boolean): ViewPose {
    if (view === 'top') return topPose(topYawRad(state));
    goal.asidePx.set(-coveredRightPx / 2, 0);
    return view === 'head' ? headPose(state, goal) : orbitPose(elapsedS, atOnce);
  }

  // The view waits for the world, then starts at the robot.
  const focus = useMemo(() => new Vector3(), []);
  useFrameStep(STEP.view, (elapsedS) => {
    const state = frames.latest();
    if (!state) return;
    const elapsed = Math.min(elapsedS, LONGEST_FRAME_S);
    focus.set(...robotFocus(state));
    const isFirst = was.current.resets < 0;
    const isReset = was.current.resets !== resets;
    const isChosen = was.current.choices !== choices || was.current.view !== view;
    if (isChosen && view === 'top') top.showMap();
    const isBack = top.isOnMap() && !was.current.onMap;
    if ((isReset || isChosen || isBack) && !isFirst && !stillness)
      change.current = { from: between(shown, shown, 0, newPose()), elapsedS: -elapsed };
    was.current = { view, choices, resets, onMap: top.isOnMap() };
    if (isReset) begin(focus);
    else if (ui.getState().following) follow(focus, elapsed);
    if (access.asked && view === 'orbit') {
      orbit.target.set(...access.asked.target);
      wished.position.set(...access.asked.eye);
      access.asked = null;
      viewMoved.current = true;
    }

    const wanted = goalPose(state, elapsed, isReset || stillness);
    const under = change.current;
    if (under) {
      under.elapsedS += elapsed;
      const done = changeShare(under.elapsedS, VIEW_CHANGE_S);
      between(under.from, wanted, done, shown);
      viewMoved.current = true;
      if (done >= 1) change.current = null;
    } else between(wanted, wanted, 0, shown);
    applyPose(eye, shown, size);
    const [x, y, z] = state.cameras.pov.position;
    inHead.current = step.set(x, y, z).distanceTo(eye.position) < IN_HEAD_M;
    const aim = view === 'orbit' ? orbit.target : step.copy(eye.getWorldDirection(step)).add(eye.position);
    const pose = { eye: eye.position.toArray(), target: aim.toArray() };
    // While the view changes from one to another, it has no name.
    const settled = change.current ? '' : view;
    return () => {
      access.shown = pose;
      // Describes the shown picture, for code that waits for it.
      if (canvas.dataset.view !== settled) canvas.dataset.view = settled;
      if (canvas.dataset.colours !== state.colourMode) canvas.dataset.colours = state.colourMode;
    };
  });

  // Each of these turns the view elsewhere, or to another picture.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    viewMoved.current = true;
  }, [resets, choices, size, covers, coveredRightPx, viewMoved]);
  useEffect(() => () => eye.clearViewOffset(), [eye]);

  return null;
}
