import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useMemo, useRef } from 'react';
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SceneLayout } from '../../../protocol/scene.ts';
import { useEngine } from '../common/engine-context.ts';
import type { ViewMoved } from './FramePacer.tsx';
import { catchUp, DEFAULT_VIEW_OFFSET, FARTHEST_M, MAX_POLAR_RAD, NEAREST_M, robotFocus, VERTICAL_FOV_DEG } from './view.ts';
import { armShare, viewBlockers } from './view-arm.ts';

const FOLLOW_TIME_CONSTANT_S = 0.25;
const ARM_TIME_CONSTANT_S = 0.15;
/** A frame after a pause must not throw the view. */
const LONGEST_FRAME_S = 0.2;
/** Nearer than this the view has caught up, metres. */
const CAUGHT_UP_M = 0.002;

interface ViewCameraProps {
  layout: SceneLayout;
  following: boolean;
  /** Each new number brings the view back to where it began. */
  resets: number;
  /** Pixels at the right that a panel covers: the view's middle moves out from under it. */
  coveredRightPx: number;
  viewMoved: ViewMoved;
}

/** The person's eye: orbits by pointer and touch, goes along with the robot when asked to. World is z-up. */
export function ViewCamera({ layout, following, resets, coveredRightPx, viewMoved }: ViewCameraProps) {
  const { frames } = useEngine();
  const camera = useThree((state) => state.camera);
  const canvas = useThree((state) => state.gl.domElement);
  const size = useThree((state) => state.size);
  const step = useMemo(() => new Vector3(), []);

  const blockers = useMemo(() => viewBlockers(layout), [layout]);

  // The controls move a wished eye; the real one comes nearer when something of the hall is in between, and goes back by itself.
  const wished = useMemo(() => {
    const made = new PerspectiveCamera(VERTICAL_FOV_DEG);
    made.up.set(0, 0, 1);
    return made;
  }, []);
  const share = useRef(1);

  const controls = useMemo(() => {
    const made = new OrbitControls(wished);
    made.enableDamping = true;
    made.dampingFactor = 0.12;
    made.screenSpacePanning = false;
    made.minDistance = NEAREST_M;
    made.maxDistance = FARTHEST_M;
    made.maxPolarAngle = MAX_POLAR_RAD;
    return made;
  }, [wished]);

  useEffect(() => {
    const redraw = () => {
      viewMoved.current = true;
    };
    controls.connect(canvas);
    controls.addEventListener('change', redraw);
    return () => {
      controls.removeEventListener('change', redraw);
      controls.disconnect();
    };
  }, [controls, canvas, viewMoved]);

  // Until the world is there the view waits for it; then it begins at the robot.
  const begun = useRef<number | null>(null);
  useFrame((_, elapsedS) => {
    const state = frames.latest();
    if (!state) return;
    const elapsed = Math.min(elapsedS, LONGEST_FRAME_S);
    const [x, y, z] = robotFocus(state);
    const begins = begun.current !== resets;
    if (begins) {
      begun.current = resets;
      controls.target.set(x, y, z);
      wished.position.set(x + DEFAULT_VIEW_OFFSET[0], y + DEFAULT_VIEW_OFFSET[1], DEFAULT_VIEW_OFFSET[2]);
    } else if (following) {
      step.set(x, y, z).sub(controls.target);
      if (step.length() > CAUGHT_UP_M) {
        step.multiplyScalar(catchUp(elapsed, FOLLOW_TIME_CONSTANT_S));
        controls.target.add(step);
        wished.position.add(step);
        viewMoved.current = true;
      }
    }
    controls.update(elapsed);

    const free = armShare(controls.target.toArray(), wished.position.toArray(), blockers);
    const missing = free - share.current;
    share.current += begins ? missing : missing * catchUp(elapsed, ARM_TIME_CONSTANT_S);
    if (Math.abs(missing) > CAUGHT_UP_M) viewMoved.current = true;
    camera.position.lerpVectors(controls.target, wished.position, share.current);
    // Nearer, but from the same height: the robot stays whole in the picture.
    camera.position.z = Math.max(camera.position.z, wished.position.z);
    camera.lookAt(controls.target);
  }, -1);

  useEffect(() => {
    if (resets >= 0) viewMoved.current = true;
  }, [resets, viewMoved]);

  useEffect(() => {
    if (!(camera instanceof PerspectiveCamera)) return;
    camera.setViewOffset(size.width, size.height, coveredRightPx / 2, 0, size.width, size.height);
    viewMoved.current = true;
    return () => camera.clearViewOffset();
  }, [camera, size, coveredRightPx, viewMoved]);

  return null;
}
