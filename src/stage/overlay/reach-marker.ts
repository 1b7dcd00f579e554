import { CircleGeometry, Group, Mesh, MeshBasicMaterial, type Object3D, RingGeometry } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { REACH_M } from '../../protocol/wire/limits.ts';

/** A ring on the floor, within which the robot picks and places. */
export interface ReachMarker {
  object: Object3D;
  /** @param base position of the robot; null hides the mark */
  show(base: Vec3 | null): void;
  dispose(): void;
}

const LINE_M = 0.022;

/** @param colour sRGB hex @param liftM height above the floor */
export function createReachMarker(colour: number, liftM: number): ReachMarker {
  const line = new MeshBasicMaterial({ color: colour, toneMapped: false, transparent: true, opacity: 0.85, depthWrite: false });
  const area = new MeshBasicMaterial({ color: colour, toneMapped: false, transparent: true, opacity: 0.1, depthWrite: false });
  const object = new Group();
  object.add(new Mesh(new RingGeometry(REACH_M - LINE_M, REACH_M, 96), line), new Mesh(new CircleGeometry(REACH_M, 64), area));
  object.visible = false;
  return {
    object,
    show(base) {
      object.visible = base !== null;
      if (base) object.position.set(base[0], base[1], liftM);
    },
    dispose() {
      line.dispose();
      area.dispose();
    },
  };
}
