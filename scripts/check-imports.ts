/**
 * Fails when a file of `src/` imports a room or a package that its room may not (docs/architecture.md, "Rooms").
 * The compiler's project references refuse most wrong room imports too; packages and Math.random only this does.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

interface RoomRule {
  /** Rooms of `src/` this one may import. */
  rooms: string[];
  /** Packages (bare specifiers, by prefix) this one may import; `node:` stands for Node's own modules. */
  packages: string[];
}

const RULES: Record<string, RoomRule> = {
  protocol: { rooms: [], packages: ['zod', 'jose'] },
  simulation: { rooms: ['protocol'], packages: ['@dimforge/rapier3d-compat'] },
  runtime: { rooms: ['simulation', 'protocol'], packages: ['zod'] },
  stage: { rooms: ['protocol'], packages: ['three', '@react-three/fiber', 'react'] },
  cameras: { rooms: ['stage', 'protocol'], packages: ['three', '@react-three/fiber', 'react'] },
  room: { rooms: ['protocol'], packages: ['livekit-client'] },
  viewer: {
    rooms: ['protocol', 'simulation', 'runtime', 'stage', 'cameras', 'room'],
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
  client: { rooms: ['protocol'], packages: ['@livekit/rtc-node', 'livekit-client'] },
  'control-service': {
    rooms: ['protocol'],
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
      'prom-client',
      'node:',
    ],
  },
  worker: {
    rooms: ['runtime', 'simulation', 'protocol'],
    packages: ['@livekit/rtc-node', '@livekit/protocol', 'livekit-server-sdk', '@dimforge/rapier3d-compat', 'ws', 'node:'],
  },
  launch: {
    rooms: ['control-service', 'client', 'worker', 'protocol'],
    packages: ['@hono/node-server', 'hono', 'vite', 'livekit-server-sdk', 'node-forge', 'yauzl', 'node:'],
  },
};
/** Rooms that must be deterministic: no chance of their own. */
const DETERMINISTIC_ROOMS = new Set(['simulation', 'runtime']);

const NOT_DETERMINISTIC = [
  { pattern: /\bMath\.random\b/, reason: 'chance is an argument in this room' },
  {
    pattern: /\bMath\.(?:sin|cos|tan|asin|acos|atan2?|sinh|cosh|tanh|exp|expm1|log|log2|log10|log1p|pow|cbrt)\b/,
    reason: 'engines differ in its last bit (P12); use protocol/portable-math.ts',
  },
];

/** A string as the only thing that is imported. */
const LITERAL = /^['"]([^'"]+)['"]$/;
/** new URL('./x.ts', import.meta.url): how workers are named. */
const WORKER_URL = /new URL\(\s*['"](\.{1,2}\/[^'"]+)['"]\s*,\s*import\.meta\.url/g;

const srcDir = resolve(import.meta.dirname, '../src');
const problems: string[] = [];
let fileCount = 0;

for (const room of readdirSync(srcDir)) {
  const rule = RULES[room];
  if (!rule) {
    problems.push(`src/${room} is not a room named in scripts/check-imports.ts`);
    continue;
  }
  for (const entry of readdirSync(join(srcDir, room), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    checkFile(room, rule, join(entry.parentPath, entry.name));
  }
}

function checkFile(room: string, rule: RoomRule, file: string): void {
  fileCount += 1;
  const source = readFileSync(file, 'utf8');
  const where = relative(process.cwd(), file);
  for (const specifier of importSpecifiers(file, source)) {
    const problem = specifier.startsWith('.') ? roomProblem(room, rule, file, specifier) : packageProblem(rule, specifier);
    if (problem) problems.push(`${where}: ${problem}`);
  }
  if (!DETERMINISTIC_ROOMS.has(room)) return;
  for (const { pattern, reason } of NOT_DETERMINISTIC) {
    const found = pattern.exec(source);
    if (found) problems.push(`${where}: ${found[0]}; ${reason}`);
  }
}

function importSpecifiers(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const written = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => LITERAL.exec(source.slice(start, end))?.[1] ?? []),
  ];
  return [...written, ...[...source.matchAll(WORKER_URL)].flatMap(([, specifier]) => specifier ?? [])];
}

function roomProblem(room: string, rule: RoomRule, file: string, specifier: string): string | null {
  const target = relative(srcDir, resolve(file, '..', specifier.replace(/\?.*$/, '')));
  const targetRoom = target.split(sep)[0] ?? '';
  if (targetRoom === '..') return `imports ${specifier}, outside src/`;
  if (targetRoom === room || rule.rooms.includes(targetRoom)) return null;
  return `imports room '${targetRoom}'; '${room}' may import ${rule.rooms.join(', ') || 'no other room'}`;
}

function packageProblem(rule: RoomRule, specifier: string): string | null {
  const allowed = rule.packages.some((name) =>
    name.endsWith(':') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
  );
  return allowed ? null : `imports package '${specifier}'; allowed here: ${rule.packages.join(', ')}`;
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`${problems.length} wrong imports. The rooms and their arrows are in docs/architecture.md.`);
  process.exit(1);
}
console.log(`imports: ${fileCount} files follow the rooms`);
