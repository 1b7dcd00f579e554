/**
 * Before every test file that shares its process: the physics engine is the page's, which lacks parts of Rapier
 * (`scripts/vite/physics-parts.ts`). So a call of a part that it lacks fails here, and not in somebody's tab.
 */
import { readFileSync, statSync } from 'node:fs';
import { pageEngineFile, WHOLE_ENGINE_FILE } from '../scripts/vite/physics-parts.ts';

const MARK = Symbol.for('simplesim.page-engine');
const instantiate: (source: BufferSource, imports?: WebAssembly.Imports) => Promise<WebAssembly.WebAssemblyInstantiatedSource> =
  WebAssembly.instantiate;

if (!(MARK in WebAssembly)) {
  const wholeBytes = statSync(WHOLE_ENGINE_FILE).size;
  const withPageEngine: typeof instantiate = (source, imports) =>
    instantiate(source.byteLength === wholeBytes ? readFileSync(pageEngineFile()) : source, imports);
  Object.assign(WebAssembly, { instantiate: withPageEngine, [MARK]: true });
}
