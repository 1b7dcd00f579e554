/**
 * Before every test file that shares its process: the physics engine is the page's, which lacks parts of Rapier
 * (`scripts/vite/physics-parts.ts`), with what tests themselves ask of it. So a call of a part that it lacks fails here, and not in
 * somebody's tab.
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// To make or look for it takes the bundler, which one process alone loads: `scripts/test-files.ts`.
const { SIMPLESIM_TEST_ENGINE: engineFile = '' } = process.env;
const packageDir = dirname(createRequire(import.meta.url).resolve('@dimforge/rapier3d-compat'));

const MARK = Symbol.for('simplesim.page-engine');
const instantiate: (source: BufferSource, imports?: WebAssembly.Imports) => Promise<WebAssembly.WebAssemblyInstantiatedSource> =
  WebAssembly.instantiate;

if (!(MARK in WebAssembly)) {
  const wholeBytes = statSync(join(packageDir, 'rapier_wasm3d_bg.wasm')).size;
  const withPageEngine: typeof instantiate = (source, imports) =>
    instantiate(source.byteLength === wholeBytes ? readFileSync(engineFile) : source, imports);
  Object.assign(WebAssembly, { instantiate: withPageEngine, [MARK]: true });
}
