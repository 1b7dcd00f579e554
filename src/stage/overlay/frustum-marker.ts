import {
  BoxGeometry,
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { HEAD_CAMERA_FOV_DEG } from '../../protocol/wire/captures.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { CAPTURE_DEFAULT_HEIGHT_PX, CAPTURE_DEFAULT_WIDTH_PX } from '../../protocol/wire/limits.ts';
import type { RigidPose } from '../../protocol/wire/render-state.ts';

/** The head camera's view as a pyramid out of its lens: true field of view and pose, for a picture of the default shape. */
export interface FrustumMarker {
  object: Object3D;
  /** @param opticalPose pose of the camera in the world; null hides the mark */
  show(opticalPose: RigidPose | null): void;
  dispose(): void;
}

/** Length of the pyramid, metres: it shows where the camera looks, not how far. */
const DEPTH_M = 0.8;
/** The pyramid starts this far from the lens, because nothing is drawn inside the head. */
const START_M = 0.12;
const LINE_M = 0.006;

/**
 * Returns the far corners of the head camera's view at a depth, optical frame (x right, y down, z forward), round the picture.
 */
export function frustumCorners(depthM: number): readonly [Vec3, Vec3, Vec3, Vec3] {
  const halfHeight = Math.tan((HEAD_CAMERA_FOV_DEG * Math.PI) / 360) * depthM;
  const halfWidth = (halfHeight * CAPTURE_DEFAULT_WIDTH_PX) / CAPTURE_DEFAULT_HEIGHT_PX;
  return [
    [-halfWidth, -halfHeight, depthM],
    [halfWidth, -halfHeight, depthM],
    [halfWidth, halfHeight, depthM],
    [-halfWidth, halfHeight, depthM],
  ];
}

/** @param colour sRGB hex */
export function createFrustumMarker(colour: number): FrustumMarker {
  const line = new MeshBasicMaterial({ color: colour, toneMapped: false, transparent: true, opacity: 0.85, depthWrite: false });
  const face = new MeshBasicMaterial({
    color: colour,
    toneMapped: false,
    transparent: true,
    opacity: 0.08,
    depthWrite: false,
    side: DoubleSide,
  });
  const near = frustumCorners(START_M);
  const far = frustumCorners(DEPTH_M);
  const edges = far.flatMap((corner, k) => [bar(near[k] ?? corner, corner), bar(corner, far[(k + 1) % far.length] ?? corner)]);
  const faces = new BufferGeometry();
  const walls = far.flatMap((corner, k) => {
    const next = (k + 1) % far.length;
    const [a, b, c] = [near[k] ?? corner, near[next] ?? corner, far[next] ?? corner];
    return [...a, ...corner, ...c, ...a, ...c, ...b];
  });
  faces.setAttribute('position', new Float32BufferAttribute(walls, 3));
  const object = new Group();
  const lines = mergeGeometries(edges, false);
  for (const edge of edges) edge.dispose();
  object.add(new Mesh(lines, line), new Mesh(faces, face));
  object.visible = false;
  return {
    object,
    show(pose) {
      object.visible = pose !== null;
      if (!pose) return;
      object.position.set(...pose.position);
      object.quaternion.set(...pose.orientation);
    },
    dispose() {
      line.dispose();
      face.dispose();
    },
  };
}

const Z_AXIS = new Vector3(0, 0, 1);

/** Returns a thin bar between two points. Lines of one pixel would vanish on fine screens. */
function bar(from: Vec3, to: Vec3): BoxGeometry {
  const a = new Vector3(...from);
  const way = new Vector3(...to).sub(a);
  const length = way.length();
  const made = new BoxGeometry(LINE_M, LINE_M, length).translate(0, 0, length / 2);
  made.applyQuaternion(new Quaternion().setFromUnitVectors(Z_AXIS, way.normalize()));
  made.translate(a.x, a.y, a.z);
  return made;
}
