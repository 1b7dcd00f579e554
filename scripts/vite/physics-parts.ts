/**
 * The physics engine for the page: Rapier's own WebAssembly without the parts that no world here has. A tenth of the page's weight is in
 * them. A call of a part that is left out fails by its name: "wasm.rawshape_trimesh is not a function".
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { trimWasm } from './wasm-trim.ts';

export const PHYSICS_PACKAGE = '@dimforge/rapier3d-compat';
const PACKAGE_DIR = dirname(createRequire(import.meta.url).resolve(PHYSICS_PACKAGE));
/** The engine as the package brings it. */
export const WHOLE_ENGINE_FILE = join(PACKAGE_DIR, 'rapier_wasm3d_bg.wasm');
const CACHE_DIR = join(import.meta.dirname, '../../.cache/physics');

/** The parts that the engine is left without, as beginnings of their exports. Rapier's `World` makes an empty set of some: `new` stays. */
const LEFT_OUT: readonly RegExp[] = [
  // Bodies that bend.
  /^rawsoftbody(?!set_(?:new|len|forEach))/,
  /^rawsoftrecovery/,
  // Controllers: our robots have their own.
  /^raw(?:kinematiccharacter|character|dynamicraycastvehicle|pid)/,
  // Shapes other than boxes, cylinders, balls and capsules.
  /^rawshape_(?!cuboid|cylinder|ball|capsule|halfExtents|halfHeight|radius|shapeType)/,
  /^raw(?:vhacd|convexmesh)/,
  /^rawcolliderset_co(?:SetVoxel|Voxel|Combine|Propagate)/,
  // Casting shapes and rays; only a point is looked for, and only in tests.
  /^rawbroadphase_(?:cast|project|intersect(?!ionsWithPoint))/,
  /^rawcollider(?:set)?_.*(?:[cC]ast|[iI]ntersect|[pP]roject)/,
  // Chains of joints in reduced coordinates, and joints other than these five.
  /^rawmultibodyjointset_createJoint/,
  /^rawgenericjoint_(?!fixed|generic|prismatic|revolute|spherical)/,
  // Lines that show what the engine knows.
  /^rawdebugrenderpipeline_(?!new)/,
];

/** Whether the page's engine has this export. */
export const keepsPhysicsExport = (name: string): boolean => !LEFT_OUT.some((part) => part.test(name));

/** The page's engine, made anew. Half a second. */
export function makePageEngine(): Uint8Array<ArrayBuffer> {
  return trimWasm(readFileSync(WHOLE_ENGINE_FILE), keepsPhysicsExport);
}

/** A file with the page's engine; made when it is not there. Several processes may ask at once. */
export function pageEngineFile(cacheDir = CACHE_DIR): string {
  const key = createHash('sha256');
  for (const file of [
    WHOLE_ENGINE_FILE,
    import.meta.filename,
    ...['wasm-trim.ts', 'wasm-reader.ts'].map((name) => join(import.meta.dirname, name)),
  ])
    key.update(readFileSync(file));
  const name = key.digest('hex').slice(0, 16);
  const file = join(cacheDir, name, 'rapier_wasm3d_bg.wasm');
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, makePageEngine());
  renameSync(fresh, file);
  // Engines of other versions are of no use; another process may be making this one.
  for (const other of readdirSync(cacheDir)) if (other !== name) rmSync(join(cacheDir, other), { recursive: true, force: true });
  return file;
}
