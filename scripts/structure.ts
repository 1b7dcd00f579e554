/** The imports of `src/`, the order of the viewer's folders, and circles of files, which `npm run imports` checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

/** One import of a file of `src/`. */
export interface Import {
  /** The importing file, from `src/` on: "viewer/ui/bar/TopBar.tsx". */
  file: string;
  specifier: string;
  /** The imported file from `src/` on; null for a package. Begins with ".." outside of `src/`. */
  target: string | null;
}

/** Folders of the viewer, each of which may import only itself and those before it. A subfolder counts as its parent. */
export const VIEWER_FOLDERS = [
  'jsx',
  'styles',
  'engine',
  'webmcp',
  'ui/common',
  'ui/values',
  'ui/world/picture',
  'ui/world/view',
  'ui/world/things',
  'ui/world',
  'ui/drive',
  'ui/cockpit',
  'ui/console',
  'ui/tasks',
  'ui/panels',
  'ui/help',
  'ui/phone',
  'ui/bar',
  'ui/gate',
  'ui',
  'visitor',
  'robots',
  'replay',
  'agent',
  'embed',
  '',
] as const;
export type ViewerFolder = (typeof VIEWER_FOLDERS)[number];

/** Returns every TypeScript file below a folder, sorted. */
export const sourceFiles = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Returns the imports of a file, in its order. @throws Error if it cannot be parsed */
export function importsOf(srcDir: string, file: string, source = readFileSync(file, 'utf8')): Import[] {
  const toTarget = (specifier: string): string | null =>
    specifier.startsWith('.') ? posix(relative(srcDir, resolve(file, '..', specifier.replace(/\?.*$/, '')))) : null;
  const from = posix(relative(srcDir, file));
  return specifiersOf(file, source).map((specifier) => ({ file: from, specifier, target: toTarget(specifier) }));
}

/** Returns the room of a path from `src/` on. */
export const roomOf = (path: string): string => path.split('/')[0] ?? '';

/** Returns the folder of VIEWER_FOLDERS that contains a file of the viewer: the longest that fits. */
export function viewerFolderOf(path: string): ViewerFolder {
  const parts = path.split('/').slice(1, -1);
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const folder = VIEWER_FOLDERS.find((known) => known === parts.slice(0, depth).join('/'));
    if (folder !== undefined) return folder;
  }
  return '';
}

/** The entries of the client library. Only the library itself and its own tests may import the rest of it. */
const CLIENT_ENTRIES = ['client/index.ts', 'client/experimental.ts'];

/**
 * Returns what is wrong with an import of the client library, or null. Its own files and tests may import its inside, others only
 * its entries.
 * @param from the importing file, from `src/` on: "launch/link-command.ts", "../tests/worker/worker.alone.test.ts"
 */
export function clientWallProblem(from: string, target: string): string | null {
  if (roomOf(target) !== 'client' || CLIENT_ENTRIES.includes(target)) return null;
  if (roomOf(from) === 'client' || from.startsWith('../tests/client/')) return null;
  return `imports ${target}, the inside of the client library; import client/index.ts`;
}

/**
 * Returns the groups of files that import each other, directly or through others, types included; each sorted. The algorithm is
 * Kosaraju's.
 */
export function fileCircles(imports: readonly Import[]): string[][] {
  const next = filesBeside(imports, ({ file, target }) => [file, target]);
  const before = filesBeside(imports, ({ file, target }) => [target, file]);
  const seen = new Set<string>();
  const leave = (file: string, beside: ReadonlyMap<string, string[]>, left: string[]): string[] => {
    if (seen.has(file)) return left;
    seen.add(file);
    for (const other of beside.get(file) ?? []) leave(other, beside, left);
    left.push(file);
    return left;
  };
  const order = [...next.keys()].flatMap((file) => leave(file, next, []));
  seen.clear();
  return order
    .reverse()
    .map((file) => leave(file, before, []).sort())
    .filter((group) => group.length > 1);
}

/** Returns a sentence for each circle of files, with a shortest path around it from its first file. */
export function circleProblems(imports: readonly Import[]): string[] {
  const next = filesBeside(imports, ({ file, target }) => [file, target]);
  return fileCircles(imports).map((files) => {
    const way = wayRound(files[0] ?? '', next).map((file) => `src/${file}`);
    return `${way.join(' → ')}: a circle of files, types included; move what both sides name to a file below them`;
  });
}

/** Returns the shortest path from a file back to itself. */
function wayRound(start: string, next: ReadonlyMap<string, string[]>): string[] {
  const seen = new Set<string>();
  const open = [[start]];
  for (let way = open.shift(); way !== undefined; way = open.shift()) {
    for (const file of next.get(way.at(-1) ?? '') ?? []) {
      if (file === start) return [...way, start];
      if (seen.has(file)) continue;
      seen.add(file);
      open.push([...way, file]);
    }
  }
  return [];
}

/** Returns the neighbours of each file of `src/`, in the direction of the pairs. */
function filesBeside(
  imports: readonly Import[],
  pairOf: (one: { file: string; target: string }) => [string, string],
): Map<string, string[]> {
  const beside = new Map<string, string[]>();
  for (const { file, target } of imports) {
    if (target === null || target.startsWith('..')) continue;
    const [from, to] = pairOf({ file, target });
    beside.set(from, [...(beside.get(from) ?? []), to]);
  }
  return beside;
}

const posix = (path: string): string => path.split(sep).join('/');

/** Matches a dynamic import with a string as its only argument. */
const LITERAL = /^['"]([^'"]+)['"]$/;
/** new URL('./x.ts', import.meta.url): how workers are named. */
const WORKER_URL = /new URL\(\s*['"](\.{1,2}\/[^'"]+)['"]\s*,\s*import\.meta\.url/g;

function specifiersOf(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const written = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => LITERAL.exec(source.slice(start, end))?.[1] ?? []),
  ];
  return [...written, ...[...source.matchAll(WORKER_URL)].flatMap(([, specifier]) => specifier ?? [])];
}
