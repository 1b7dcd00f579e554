import { type Material, Mesh, type Object3D } from 'three';
import type { Look } from '../types.ts';

/** Returns the material of a mesh in a look; null hides it. */
export type MaterialsByLook = (look: Look) => Material | null;

const materialsOf = new WeakMap<Object3D, MaterialsByLook>();

/** Sets the materials of a mesh for each look, and applies that of `natural`. */
export function withMaterials<T extends Mesh>(mesh: T, materialIn: MaterialsByLook): T {
  materialsOf.set(mesh, materialIn);
  setMaterial(mesh, materialIn('natural'));
  return mesh;
}

/** Changes the materials of everything under `root` to those of a look. */
export function applyLook(root: Object3D, look: Look): void {
  root.traverse((object) => {
    const materialIn = materialsOf.get(object);
    if (materialIn && object instanceof Mesh) setMaterial(object, materialIn(look));
  });
}

function setMaterial(mesh: Mesh, material: Material | null): void {
  mesh.visible = material !== null;
  if (material) mesh.material = material;
}

/** Frees the geometries under `root`; materials belong to their kit. */
export function disposeGeometries(root: Object3D): void {
  root.traverse((object) => {
    if (object instanceof Mesh) object.geometry.dispose();
  });
}
