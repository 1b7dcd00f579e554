import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { PHYSICS_PACKAGE, pageEngineFile, pageScriptOf, WHOLE_ENGINE_FILE } from './physics-parts.ts';

const MODULE_ID = 'virtual:physics-binary';
const RESOLVED_ID = `\0${MODULE_ID}`;
/** Where Rapier unpacks the WebAssembly that it brings as text. */
const INLINED = /[\w$]+\.toByteArray\("([A-Za-z0-9+/=]{100000,})"\)\.buffer/;

/**
 * Takes Rapier's WebAssembly out of its JavaScript and makes it a file of its own, without the parts that no world here has
 * (`physics-parts.ts`): half as large to load, compiled while it loads, and loaded with a progress that can be told. The built Rapier takes it from `globalThis.physicsBinary`; without a build, as with the dev
 * server, it brings its own and the address in `virtual:physics-binary` is null.
 */
export function physicsBinary(): Plugin {
  let building = false;
  return {
    name: 'physics-binary',
    enforce: 'pre',
    configResolved({ command }) {
      building = command === 'build';
    },
    resolveId: (id) => (id === MODULE_ID ? RESOLVED_ID : null),
    load(id) {
      if (id !== RESOLVED_ID) return null;
      if (!building) return 'export const url = null; export const byteLength = 0;';
      const file = pageEngineFile();
      const { byteLength } = readFileSync(file);
      return `export { default as url } from ${JSON.stringify(`${file}?url`)}; export const byteLength = ${byteLength};`;
    },
    transform(code, id) {
      return building ? withEngine(code, id, 'globalThis.physicsBinary') : null;
    },
  };
}

/**
 * The page's JavaScript of Rapier, with another expression for the engine's bytes; null for any other module.
 * @throws Error when Rapier brings its engine in another way than this knows
 */
export function withEngine(code: string, moduleId: string, expression: string): { code: string; map: null } | null {
  if (!/rapier3d-compat[\\/]dist[\\/]rapier\.mjs$/.test(moduleId)) return null;
  const [whole, base64] = INLINED.exec(code) ?? [];
  if (!whole || !base64 || !Buffer.from(base64, 'base64').equals(readFileSync(WHOLE_ENGINE_FILE)))
    throw new Error(`${PHYSICS_PACKAGE} brings its WebAssembly in another way than scripts/vite/physics-binary.ts knows.`);
  return { code: pageScriptOf(code.replace(whole, () => expression)), map: null };
}
