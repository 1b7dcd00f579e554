import { type Material, Mesh, type Object3D } from 'three';
import type { Look } from '../types.ts';

/** Returns the material of a mesh in a look; null hides it. */
export type Wardrobe = (look: Look) => Material | null;

const wardrobes = new WeakMap<Object3D, Wardrobe>();

/** Sets the materials of a mesh for each look, and applies that of `natural`. */
export function dressed<T extends Mesh>(mesh: T, wardrobe: Wardrobe): T {
  wardrobes.set(mesh, wardrobe);
  wear(mesh, wardrobe('natural'));
  return mesh;
}

/** Changes the materials of everything under `root` to those of a look. */
export function dress(root: Object3D, look: Look): void {
  root.traverse((object) => {
    const wardrobe = wardrobes.get(object);
    if (wardrobe && object instanceof Mesh) wear(object, wardrobe(look));
  });
}

function wear(mesh: Mesh, material: Material | null): void {
  mesh.visible = material !== null;
  if (material) mesh.material = material;
}

/** Frees the geometries under `root`; materials belong to their kit. */
export function disposeGeometries(root: Object3D): void {
  root.traverse((object) => {
    if (object instanceof Mesh) object.geometry.dispose();
  });
}
