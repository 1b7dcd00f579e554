import { BoxGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, type Object3D, Quaternion, Vector3 } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import type { EntityBox } from '../entity-box.ts';

/** Brackets at the corners of a box, as thick round a rack as round a cube. */
export interface Outline {
  object: Object3D;
  /** @param box null hides the outline */
  show(box: EntityBox | null): void;
  dispose(): void;
}

const THICK_M = 0.012;
/** Gap between the thing and its outline. */
const MARGIN_M = 0.018;
/** The share of an edge that a bracket takes, and its maximum length in metres. */
const ARM_SHARE = 0.28;
const LONGEST_ARM_M = 0.16;
const BARS = 24;

const _bars_turn = new Quaternion();
const _show_position = new Vector3();
const _show_turn = new Quaternion();

/** @param colour sRGB hex */
export function createOutline(colour: number, opacity: number): Outline {
  const material = new MeshBasicMaterial({ color: colour, toneMapped: false, transparent: true, opacity, depthWrite: false });
  const geometry = new BoxGeometry(1, 1, 1);
  const mesh = new InstancedMesh(geometry, material, BARS);
  mesh.frustumCulled = false;
  mesh.visible = false;
  let laidFor = '';
  return {
    object: mesh,
    show(box) {
      mesh.visible = box !== null;
      if (!box) return;
      mesh.position.copy(_show_position.set(...box.centre));
      mesh.quaternion.copy(_show_turn.set(...box.orientation));
      const key = box.size.join();
      if (key === laidFor) return;
      laidFor = key;
      cornerBars(box.size).forEach((matrix, k) => {
        mesh.setMatrixAt(k, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    },
    dispose() {
      mesh.dispose();
      geometry.dispose();
      material.dispose();
    },
  };
}

/** Returns three bars at each corner of a box about the origin, as transforms of a unit cube. @param size full extents, metres */
export function cornerBars(size: Vec3): Matrix4[] {
  const half = size.map((extent) => extent / 2 + MARGIN_M);
  const arms = size.map((extent) => Math.min(LONGEST_ARM_M, extent * ARM_SHARE) + MARGIN_M);
  const bars: Matrix4[] = [];
  for (const signX of [-1, 1]) {
    for (const signY of [-1, 1]) {
      for (const signZ of [-1, 1]) {
        const corner = [signX, signY, signZ].map((sign, axis) => sign * (half[axis] ?? 0));
        // A thing that stands on the floor has its lowest brackets on the floor too, not below it.
        if (signZ < 0) corner[2] = -size[2] / 2 + THICK_M;
        for (const along of [0, 1, 2]) {
          const arm = arms[along] ?? 0;
          const scale = new Vector3(THICK_M, THICK_M, THICK_M).setComponent(along, arm);
          const at = new Vector3(...corner);
          const sign = [signX, signY, signZ][along] ?? 1;
          at.setComponent(along, at.getComponent(along) - sign * (arm / 2 - THICK_M / 2));
          bars.push(new Matrix4().compose(at, _bars_turn.identity(), scale));
        }
      }
    }
  }
  return bars;
}
