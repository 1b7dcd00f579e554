/**
 * The physics engine for the page: Rapier's own WebAssembly and JavaScript without the parts that no world here has and without what no
 * program here names. A tenth of the page's weight is in them. A call of what is left out fails by its name: "castRay is not a function".
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { exportsNamedIn, trimPhysicsScript, wordsOf } from './physics-script.ts';
import { trimWasm } from './wasm-trim.ts';

export const PHYSICS_PACKAGE = '@dimforge/rapier3d-compat';
const PACKAGE_DIR = dirname(createRequire(import.meta.url).resolve(PHYSICS_PACKAGE));
/** The engine as the package brings it. */
export const WHOLE_ENGINE_FILE = join(PACKAGE_DIR, 'rapier_wasm3d_bg.wasm');
const WHOLE_SCRIPT_FILE = join(PACKAGE_DIR, 'rapier.mjs');
const CACHE_DIR = join(import.meta.dirname, '../../.cache/physics');
const SRC_DIR = join(import.meta.dirname, '../../src');
/** The rooms that speak to Rapier. */
const ROOMS = ['simulation', 'runtime', 'tasks', 'worker', 'viewer/engine'];

/** The parts that the engine is left without, as beginnings of their exports. Rapier's `World` makes an empty set of some: `new` stays. */
const LEFT_OUT: readonly RegExp[] = [
  // Bodies that bend.
  /^rawsoftbody(?!set_(?:new|len|forEach))/,
  /^rawsoftrecovery/,
  // Controllers: our robots have their own.
  /^raw(?:kinematiccharacter|character|dynamicraycastvehicle|pid)/,
  // Shapes other than boxes and cylinders.
  /^rawshape_(?!cuboid|cylinder|halfExtents|halfHeight|radius|shapeType)/,
  /^rawcolliderset_co(?:Vertices|Indices|Round|Height[fF]|Halfspace|TriMesh|Polyline)/,
  /^raw(?:vhacd|convexmesh)/,
  /^rawcolliderset_co(?:SetVoxel|Voxel|Combine|Propagate)/,
  // Casting shapes and rays; only a point is looked for, and only in tests.
  /^rawbroadphase_(?:cast|project|intersect(?!ionsWithPoint))/,
  /^rawcollider(?:set)?_.*(?:[cC]ast|[iI]ntersect|[pP]roject)/,
  // What a cast hits.
  /^raw(?:ray|collidershapecast|shapecast|shapecontact)/,
  // Chains of joints in reduced coordinates, and joints other than the one by which hands hold.
  /^rawmultibodyjointset_(?!new|len|forEach|contains)/,
  /^rawgenericjoint_(?!fixed)/,
  // Lines that show what the engine knows.
  /^rawdebugrenderpipeline_(?!new)/,
];

/** The others are of the engine's memory. */
const OF_RAPIER = /^raw/;

/** Whether this export belongs to a part that the page's engine has. */
export const keepsPhysicsExport = (name: string): boolean => !LEFT_OUT.some((part) => part.test(name));

/** Every word in the programs of some folders. */
function wordsIn(dirs: readonly string[]): string[] {
  const words = new Set<string>();
  for (const dir of dirs) {
    for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name)))
      for (const word of wordsOf(readFileSync(join(dir, file), 'utf8'))) words.add(word);
  }
  return [...words].sort();
}

const dirsOf = (alsoNamedIn: readonly string[]): string[] => [...ROOMS.map((room) => join(SRC_DIR, room)), ...alsoNamedIn];

/** Rapier's JavaScript with the methods that are named here. @param script the whole, or with another way to its engine */
export const pageScriptOf = (script: string, alsoNamedIn: readonly string[] = []): string =>
  trimPhysicsScript(script, wordsIn(dirsOf(alsoNamedIn)));

/** The page's engine, made anew. A second. @param alsoNamedIn folders with programs whose calls of Rapier it has too */
export function makePageEngine(alsoNamedIn: readonly string[] = []): Uint8Array<ArrayBuffer> {
  const named = exportsNamedIn(pageScriptOf(readFileSync(WHOLE_SCRIPT_FILE, 'utf8'), alsoNamedIn));
  return trimWasm(
    readFileSync(WHOLE_ENGINE_FILE),
    (name) => keepsPhysicsExport(name) && (!OF_RAPIER.test(name) || named.has(name)),
  );
}

/** A file with the page's engine; made when it is not there. Several processes may ask at once. */
export function pageEngineFile(alsoNamedIn: readonly string[] = [], cacheDir = CACHE_DIR): string {
  const key = createHash('sha256').update(JSON.stringify(wordsIn(dirsOf(alsoNamedIn))));
  for (const file of [
    WHOLE_ENGINE_FILE,
    WHOLE_SCRIPT_FILE,
    import.meta.filename,
    ...['physics-script.ts', 'wasm-trim.ts', 'wasm-reader.ts'].map((name) => join(import.meta.dirname, name)),
  ])
    key.update(readFileSync(file));
  const [group, otherGroup] = alsoNamedIn.length === 0 ? ['page-', 'tests-'] : ['tests-', 'page-'];
  const name = `${group}${key.digest('hex').slice(0, 16)}`;
  const file = join(cacheDir, name, 'rapier_wasm3d_bg.wasm');
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, makePageEngine(alsoNamedIn));
  renameSync(fresh, file);
  // Engines of other versions are of no use; another process may be making this one.
  for (const other of readdirSync(cacheDir)) {
    if (other !== name && !other.startsWith(otherGroup)) rmSync(join(cacheDir, other), { recursive: true, force: true });
  }
  return file;
}
