/**
 * Fails on imports that the architecture forbids (`docs/architecture.md`, "Rooms"). A file of `src/` may import only the rooms
 * and packages that its room allows. Files must not import each other in a circle, types included. A file must not export a value
 * that no file imports. Tests, scripts, lab and examples have rules of
 * their own (`harness-rules.ts`). Only one file may use the browser's storage directly. The
 * compiler's project references also reject most wrong room imports. Only this check covers packages, the viewer's folders, the
 * inside of the client library and Math.random.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { harnessProblem } from './harness-rules.ts';
import {
  circleProblems,
  clientWallProblem,
  type Import,
  importsOf,
  roomOf,
  sourceFiles,
  VIEWER_FOLDERS,
  viewerFolderOf,
} from './structure.ts';
import { namesOf, unusedExports } from './unused-exports.ts';

interface RoomRule {
  /** Rooms of `src/` that this one may import. */
  rooms: string[];
  /** Packages (bare specifiers, by prefix) that this one may import; `node:` stands for Node's own modules. */
  packages: string[];
  /** Folder next to `src/` from which it may import data files. */
  data?: string;
}

const RULES: Record<string, RoomRule> = {
  common: { rooms: [], packages: ['@noble/hashes'] },
  protocol: { rooms: ['common'], packages: ['zod', 'jose'] },
  simulation: { rooms: ['protocol', 'common'], packages: ['@dimforge/rapier3d-compat'], data: '../scenes/' },
  runtime: { rooms: ['simulation', 'protocol', 'common'], packages: ['zod'] },
  tasks: { rooms: ['runtime', 'simulation', 'protocol', 'common'], packages: [] },
  stage: { rooms: ['protocol', 'common'], packages: ['three', '@react-three/fiber', 'react'] },
  cameras: { rooms: ['stage', 'protocol', 'common'], packages: ['three', '@react-three/fiber', 'react'] },
  room: { rooms: ['protocol', 'common'], packages: ['livekit-client'] },
  viewer: {
    rooms: [
      'common',
      'protocol',
      'remote-robot',
      'client',
      'simulation',
      'runtime',
      'tasks',
      'stage',
      'cameras',
      'room',
      'agent-tools',
    ],
    packages: [
      'react',
      'react-dom',
      'zustand',
      'three',
      '@react-three/fiber',
      '@dimforge/rapier3d-compat',
      'radix-ui',
      'lucide-react',
      'uplot',
      'zod',
      'qr',
      'virtual:physics-binary',
      '@fontsource-variable/inter',
    ],
  },
  'agent-tools': { rooms: ['protocol', 'common'], packages: ['zod'] },
  mcp: { rooms: ['agent-tools', 'protocol', 'common'], packages: ['@modelcontextprotocol/server', 'node:'] },
  'remote-robot': { rooms: ['protocol', 'common'], packages: [] },
  client: { rooms: ['remote-robot', 'protocol', 'common'], packages: ['@livekit/rtc-node', 'livekit-client'] },
  'control-service': {
    rooms: ['mcp', 'agent-tools', 'remote-robot', 'protocol', 'common'],
    packages: [
      'hono',
      '@hono/zod-openapi',
      'zod',
      'jose',
      'drizzle-orm',
      '@electric-sql/pglite',
      'pg',
      'nanotar',
      'livekit-server-sdk',
      '@livekit/protocol',
      'jsonc-parser',
      'prom-client',
      'node:',
    ],
  },
  worker: {
    rooms: ['runtime', 'simulation', 'protocol', 'common'],
    packages: ['@livekit/rtc-node', '@livekit/protocol', 'livekit-server-sdk', '@dimforge/rapier3d-compat', 'ws', 'node:'],
  },
  headless: {
    rooms: ['agent-tools', 'tasks', 'worker', 'cameras', 'runtime', 'simulation', 'protocol', 'common'],
    packages: ['tinyglobby', 'node:'],
  },
  launch: {
    rooms: ['mcp', 'agent-tools', 'control-service', 'client', 'headless', 'worker', 'protocol', 'common'],
    packages: ['@hono/node-server', 'hono', 'vite', 'livekit-server-sdk', 'nanotar', 'qr', 'yauzl', 'node:'],
  },
};
/** Rooms that must be deterministic, without a random source of their own. */
const DETERMINISTIC_ROOMS = new Set(['simulation', 'runtime', 'tasks']);

const NOT_DETERMINISTIC = [
  { pattern: /\bMath\.random\b/, reason: 'chance is an argument in this room' },
  {
    pattern: /\bMath\.(?:sin|cos|tan|asin|acos|atan2?|sinh|cosh|tanh|exp|expm1|log|log2|log10|log1p|pow|cbrt)\b/,
    reason: 'engines differ in its last bit (P12); use common/portable-math.ts',
  },
];

/** Rooms whose code runs in a page. */
const PAGE_ROOMS = new Set(['viewer', 'room', 'stage', 'cameras']);
/** If site data is blocked, even reading these properties may throw, so one file reads them for all. */
const STORAGE_FILE = join('viewer', 'engine', 'browser-storage.ts');
const STORAGE = /\b(?:localStorage|sessionStorage|indexedDB|BroadcastChannel|cookieStore)\b|\bdocument\.cookie\b|\bcaches\./;

/** Folders next to `src/` whose files import from it. */
const USERS = ['../tests', '../scripts', '../lab', '../examples'];

const srcDir = resolve(import.meta.dirname, '../src');
const problems: string[] = [];
const imports: Import[] = [];
let fileCount = 0;

for (const room of readdirSync(srcDir)) {
  const rule = RULES[room];
  if (rule) for (const file of sourceFiles(join(srcDir, room))) checkFile(room, rule, file);
  else problems.push(`src/${room} is not a room named in scripts/check-imports.ts`);
}

problems.push(...circleProblems(imports));

// Files outside `src/` may import only the public part of the client library, and each other by the harness's rules.
for (const dir of USERS) {
  for (const file of sourceFiles(join(srcDir, dir))) {
    fileCount += 1;
    for (const { file: from, target } of importsOf(srcDir, file)) {
      const problem = target === null ? null : (clientWallProblem(from, target) ?? harnessProblem(from, target));
      if (problem) problems.push(`${relative(process.cwd(), file)}: ${problem}`);
    }
  }
}

problems.push(
  ...unusedExports([srcDir, ...USERS.map((dir) => join(srcDir, dir))].flatMap(sourceFiles).map((file) => namesOf(srcDir, file))),
);

function checkFile(room: string, rule: RoomRule, file: string): void {
  fileCount += 1;
  const source = readFileSync(file, 'utf8');
  const where = relative(process.cwd(), file);
  const own = importsOf(srcDir, file, source);
  imports.push(...own);
  for (const { file: from, specifier, target } of own) {
    const problem = target === null ? packageProblem(rule, specifier) : roomProblem(rule, from, target);
    if (problem) problems.push(`${where}: ${problem}`);
  }
  const storage = PAGE_ROOMS.has(room) && !file.endsWith(STORAGE_FILE) ? STORAGE.exec(source) : null;
  if (storage) problems.push(`${where}: ${storage[0]}; use src/${STORAGE_FILE}, which does not throw`);
  if (!DETERMINISTIC_ROOMS.has(room)) return;
  for (const { pattern, reason } of NOT_DETERMINISTIC) {
    const found = pattern.exec(source);
    if (found) problems.push(`${where}: ${found[0]}; ${reason}`);
  }
}

function roomProblem(rule: RoomRule, from: string, target: string): string | null {
  const [room, targetRoom] = [roomOf(from), roomOf(target)];
  if (rule.data !== undefined && target.startsWith(rule.data) && target.endsWith('.json')) return null;
  if (targetRoom === '..') return `imports ${target}, outside src/`;
  if (targetRoom === room) return room === 'viewer' ? viewerProblem(from, target) : null;
  if (rule.rooms.includes(targetRoom)) return clientWallProblem(from, target);
  return `imports room '${targetRoom}'; '${room}' may import ${rule.rooms.join(', ') || 'no other room'}`;
}

/** Checks an import within the viewer against the order of its folders. */
function viewerProblem(from: string, target: string): string | null {
  const [folder, wanted] = [viewerFolderOf(from), viewerFolderOf(target)];
  if (VIEWER_FOLDERS.indexOf(wanted) <= VIEWER_FOLDERS.indexOf(folder)) return null;
  return `imports viewer/${wanted}, which comes after viewer/${folder} in VIEWER_FOLDERS of scripts/structure.ts`;
}

function packageProblem(rule: RoomRule, specifier: string): string | null {
  const allowed = rule.packages.some((name) =>
    name.endsWith(':') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
  );
  return allowed ? null : `imports package '${specifier}'; allowed here: ${rule.packages.join(', ')}`;
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`${problems.length} wrong imports or exports. The rooms and their arrows are in docs/architecture.md.`);
  process.exit(1);
}
console.log(`imports: ${fileCount} files follow the rooms, none in a circle, and each export has a user`);
