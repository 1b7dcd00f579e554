import { join } from 'node:path';

/** The part of the bundler that is queried about a module. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}

const SRC = join(import.meta.dirname, '../../src');
const GATE = 'viewer/main.tsx';
const ENGINE = 'viewer/engine/browser-engine.ts';
const INTERFACE = 'viewer/ui/mount.tsx';
const DRAWN_WORLD = 'viewer/ui/world/WorldView.tsx';
const SIMULATION = 'viewer/engine/simulation-worker.ts';
const WORKERS = [SIMULATION, 'cameras/camera-worker.ts'];
const ROOM = 'room/browser-room.ts';
const ROBOTS = 'viewer/robots/start.tsx';
/**
 * The client library's entry, and the files behind it that the page of all robots uses. The bundler leaves out the others, such
 * as LiveKit's transports, but its graph contains them.
 */
const LIBRARY = join(SRC, 'client/index.ts');
const USED_OF_LIBRARY = ['client/client.ts', 'client/errors.ts'].map((file) => join(SRC, file));

/**
 * Names the file of a module that several parts of the page need, by the part that needs it first. Null leaves it to the bundler,
 * which makes a file for each set of parts: dozens of small ones, each a separate request in every thread.
 */
export function sharedChunkOf(moduleId: string, graph: ModuleGraph): string | null {
  const inWorkers = WORKERS.some((worker) => needs(graph, worker, { later: true }).has(moduleId));
  if (needs(graph, GATE).has(moduleId)) return inWorkers || needs(graph, ROOM).has(moduleId) ? 'basics' : null;
  if (!inWorkers) return null;
  // The page of all robots draws no world, so it must not load one for the few modules that they share.
  if (needs(graph, ROBOTS).has(moduleId)) return needs(graph, ENGINE).has(moduleId) ? 'contract' : 'elements';
  if (needs(graph, ENGINE).has(moduleId)) return 'protocol';
  if (!needs(graph, DRAWN_WORLD).has(moduleId)) return null;
  // If these few were in the file of the stage, the simulation would load three.js before the physics, and the interface would
  // load it before it appears.
  const isNeededSooner = needs(graph, SIMULATION, { later: true }).has(moduleId) || needs(graph, INTERFACE).has(moduleId);
  return isNeededSooner ? 'protocol' : 'stage';
}

/** Whether a file of the build is one that workers share with the page. */
export const isSharedWithWorkers = (fileName: string): boolean =>
  /(?:^|\/)(?:basics|contract|elements|protocol|stage)-[\w-]+\.js$/.test(fileName);

const known = new WeakMap<ModuleGraph, Map<string, ReadonlySet<string>>>();

/** Returns every module that a file needs. @param later also its dynamic imports */
function needs(graph: ModuleGraph, file: string, { later = false } = {}): ReadonlySet<string> {
  const ofGraph = known.get(graph) ?? new Map<string, ReadonlySet<string>>();
  known.set(graph, ofGraph);
  const found = ofGraph.get(file);
  if (found) return found;
  const seen = new Set<string>([join(SRC, file)]);
  for (const id of seen) {
    const module = graph.getModuleInfo(id);
    for (const next of id === LIBRARY ? USED_OF_LIBRARY : (module?.importedIds ?? [])) seen.add(next);
    if (later) for (const next of module?.dynamicallyImportedIds ?? []) seen.add(next);
  }
  ofGraph.set(file, seen);
  return seen;
}
