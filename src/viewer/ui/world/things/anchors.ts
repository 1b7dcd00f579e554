import { type PerspectiveCamera, Vector3 } from 'three';
import type { Vec3 } from '../../../../protocol/wire/geometry.ts';

/** Position of a world point in the picture, pixels from its upper left corner. */
export interface OnScreen {
  x: number;
  y: number;
  /** Distance from the eye, metres. */
  distanceM: number;
  /** Whether a part of the scene is in front of it. */
  hidden: boolean;
}

/** A part of the page that follows points of the world. */
export interface Anchor {
  /** Returns the current points, world frame; null for a point that does not exist. */
  points(): readonly (Vec3 | null)[];
  /** Places the part. @param at in the order of the points; null for a point that is not in front of the eye */
  place(at: readonly (OnScreen | null)[], picture: { widthPx: number; heightPx: number }): void;
  /** Called when the picture has another size than the one for which everything was placed. A new picture follows shortly. */
  outdated?(): void;
}

/** Places the page's anchored parts with every drawn picture, and only then; nothing passes through React. */
export interface Anchors {
  /** Adds an anchor and places it at once by the last picture. @returns a function that removes it */
  add(anchor: Anchor): () => void;
  /**
   * Computes the positions of everything in a picture that will be drawn from this view.
   * @returns a function that applies them when that picture is shown; anchors added meanwhile are placed by the given view
   */
  prepare(view: AnchorView): (shown: AnchorView) => void;
  /** Marks all positions as outdated until the next picture is shown. */
  outdate(): void;
}

export interface AnchorView {
  camera: PerspectiveCamera;
  widthPx: number;
  heightPx: number;
  /** Returns whether a point is behind something, for an eye at this position. */
  isHidden(eye: Vec3, point: Vec3): boolean;
}

const _project_point = new Vector3();

export function createAnchors(): Anchors {
  const anchors = new Set<Anchor>();
  let last: AnchorView | null = null;

  const find = (anchor: Anchor, view: AnchorView) => anchor.points().map((point) => onScreen(point, view));

  return {
    add(anchor) {
      anchors.add(anchor);
      if (last) anchor.place(find(anchor, last), last);
      return () => anchors.delete(anchor);
    },
    prepare(view) {
      const found = new Map([...anchors].map((anchor) => [anchor, find(anchor, view)]));
      return (shown) => {
        last = shown;
        for (const anchor of anchors) anchor.place(found.get(anchor) ?? find(anchor, shown), shown);
      };
    },
    outdate() {
      last = null;
      for (const anchor of anchors) anchor.outdated?.();
    },
  };
}

/** Projects a point. @returns null for a point that is not in front of the eye */
function onScreen(point: Vec3 | null, { camera, widthPx, heightPx, isHidden }: AnchorView): OnScreen | null {
  if (!point) return null;
  const eye = camera.position;
  const { x, y, z } = _project_point.set(...point).project(camera);
  if (z > 1 || z < -1) return null;
  return {
    x: ((x + 1) / 2) * widthPx,
    y: ((1 - y) / 2) * heightPx,
    distanceM: Math.hypot(point[0] - eye.x, point[1] - eye.y, point[2] - eye.z),
    hidden: isHidden(eye.toArray(), point),
  };
}
