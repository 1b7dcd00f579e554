/**
 * Prints the size of the built page, stage by stage as it loads, and fails if a stage exceeds its limit. Sizes are those of
 * brotli at the quality of `npm start`. Files that `npm run build` has compressed, as for a deployment, are also summed up. Fonts
 * and pictures count uncompressed. Builds nothing: run `vite build` first.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { PRECOMPRESSED_END } from '../src/headless/built-file.ts';

const DIST_DIR = join(import.meta.dirname, '../dist');
const ASSETS_DIR = join(DIST_DIR, 'assets');
const KB = 1_000;

interface Stage {
  title: string;
  /** Limit in kB. */
  budgetKb: number;
  files: string[];
}

const problems: string[] = [];
if (!existsSync(join(DIST_DIR, 'index.html'))) {
  console.error('There is no built page to weigh. Build it first: npm run build');
  process.exit(1);
}
const names = readdirSync(ASSETS_DIR);
const read = (file: string): string => readFileSync(file, 'utf8');
const pathOf = (name: string): string => (name.endsWith('.html') ? join(DIST_DIR, name) : join(ASSETS_DIR, name));

/** The files whose name begins so: one, or two if one only re-exports the other. */
function assets(start: string, end = '.js'): string[] {
  const found = names.filter((name) => name.startsWith(`${start}-`) && name.endsWith(end));
  if (found.length === 0) problems.push(`The page has no file named ${start}-…${end}, which a stage needs.`);
  return found;
}

/** A JavaScript file with its static imports, without those that it loads later. */
function withImports(name: string, seen: Set<string> = new Set()): Set<string> {
  if (name === '' || seen.has(name)) return seen;
  seen.add(name);
  // Minified: the specifier of an import is between quotes right after `from` or `import`.
  for (const [, inner] of read(pathOf(name)).matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    withImports(inner ?? '', seen);
  return seen;
}

const chunk = (start: string): string[] => assets(start).flatMap((name) => [...withImports(name)]);

const sizes = new Map<string, number>();
function sizeOf(name: string): number {
  const known = sizes.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(pathOf(name));
  const shrinks = /\.(?:js|css|html|wasm|svg)$/.test(name);
  const size = shrinks
    ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).byteLength
    : bytes.byteLength;
  sizes.set(name, size);
  return size;
}

/** Returns the files that a page names, and those that its style sheet names for a page in Latin letters. */
function filesOf(page: string): string[] {
  const html = read(pathOf(page));
  const named = [...html.matchAll(/\/assets\/([\w.-]+)/g)].flatMap(([, name]) => name ?? []);
  const styles = named.filter((name) => name.endsWith('.css'));
  const pictures = styles.flatMap((name) =>
    [...read(pathOf(name)).matchAll(/url\(\.\/([\w.-]+\.webp)\)/g)].flatMap(([, found]) => found ?? []),
  );
  const scripts = named.filter((name) => name.endsWith('.js')).flatMap((name) => [...withImports(name)]);
  return [...new Set([page, ...named, ...scripts, ...pictures])];
}

const gate = filesOf('index.html');
const engine = [...chunk('browser-engine')];
const face = [
  ...chunk('mount'),
  ...assets('mount', '.css'),
  ...chunk('WorldView'),
  ...chunk('SidePanel'),
  ...chunk('CamerasPanel'),
];
const simulation = [
  ...chunk('simulation-worker'),
  ...assets('rapier'),
  ...assets('rapier_wasm3d_bg', '.wasm'),
  ...assets('runtime'),
  ...assets('world'),
];
const cameras = [...chunk('camera-worker')];
/** Only a browser with WebMCP loads it, after the robot is live. */
const webmcp = [...chunk('offer-tools')];
const room = [...chunk('browser-room'), ...assets('timer-worker')];

/** The files that earlier stages have loaded; a stage counts only the others. */
const loaded = new Set<string>();
function fresh(files: string[]): string[] {
  const found = [...new Set(files)].filter((name) => name !== '' && !loaded.has(name));
  for (const name of found) loaded.add(name);
  return found;
}

const STAGES: Stage[] = [
  { title: 'gate: seen and working', budgetKb: 96, files: fresh(gate) },
  { title: 'engine', budgetKb: 79, files: fresh(engine) },
  { title: 'interface and the drawn world', budgetKb: 450, files: fresh(face) },
  { title: 'simulation, its worker', budgetKb: 1_150, files: fresh(simulation) },
  { title: 'cameras, their worker', budgetKb: 10, files: fresh(cameras) },
  { title: 'room', budgetKb: 140, files: fresh(room) },
  { title: 'all, from nothing to a live robot', budgetKb: 1_910, files: [...loaded] },
  { title: 'tools for an agent in the browser', budgetKb: 16, files: webmcp.filter((name) => !loaded.has(name)) },
  // A separate page, which loads none of the previous files.
  { title: 'all robots on one page', budgetKb: 165, files: filesOf('robots.html') },
];

const kb = (bytes: number): string => (bytes / KB).toFixed(1).padStart(8);
console.log('weight of the page, kB compressed');
console.log(`${'stage'.padEnd(36)}${'size'.padStart(8)}${'budget'.padStart(8)}  files`);
for (const { title, budgetKb, files } of STAGES) {
  const total = files.reduce((sum, name) => sum + sizeOf(name), 0);
  console.log(`${title.padEnd(36)}${kb(total)}${String(budgetKb).padStart(8)}  ${files.length}`);
  if (total > budgetKb * KB)
    problems.push(`${title}: ${kb(total).trim()} kB, and ${budgetKb} kB are allowed. ${heaviest(files)}`);
}

/** Limit in kB, from nothing to a live robot as deployed. */
const DEPLOYED_KB = 1_680;
const compressedFile = (name: string): string => `${pathOf(name)}${PRECOMPRESSED_END}`;
if (existsSync(compressedFile('index.html'))) {
  const deployedSize = (name: string): number =>
    statSync(existsSync(compressedFile(name)) ? compressedFile(name) : pathOf(name)).size;
  const total = [...loaded].reduce((sum, name) => sum + deployedSize(name), 0);
  console.log(`${'all, as deployed'.padEnd(36)}${kb(total)}${String(DEPLOYED_KB).padStart(8)}`);
  if (total > DEPLOYED_KB * KB) problems.push(`as deployed: ${kb(total).trim()} kB, and ${DEPLOYED_KB} kB are allowed.`);
}

const LARGEST_SCRIPT_KB = 300;
const scripts = names.filter((name) => name.endsWith('.js')).sort((a, b) => sizeOf(b) - sizeOf(a));
const largest = scripts[0] ?? '';
console.log(`${'largest script'.padEnd(36)}${kb(sizeOf(largest))}${String(LARGEST_SCRIPT_KB).padStart(8)}  ${largest}`);
if (sizeOf(largest) > LARGEST_SCRIPT_KB * KB)
  problems.push(`${largest} is larger than ${LARGEST_SCRIPT_KB} kB: load part of it later.`);
const binary = names.find((name) => name.endsWith('.wasm')) ?? '';
if (binary) console.log(`${'physics engine, WebAssembly'.padEnd(36)}${kb(sizeOf(binary))}`);

function heaviest(files: string[]): string {
  const worst = [...files].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 4);
  return `Heaviest: ${worst.map((name) => `${basename(name)} ${kb(sizeOf(name)).trim()}`).join(', ')}.`;
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
