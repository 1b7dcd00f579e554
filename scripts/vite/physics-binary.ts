import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const PHYSICS_PACKAGE = '@dimforge/rapier3d-compat';
/** The engine in the form of its package. */
const ENGINE_FILE = join(dirname(createRequire(import.meta.url).resolve(PHYSICS_PACKAGE)), 'rapier_wasm3d_bg.wasm');

const MODULE_ID = 'virtual:physics-binary';
const RESOLVED_ID = `\0${MODULE_ID}`;
/** Where Rapier decodes the WebAssembly that it includes as text. */
const INLINED = /[\w$]+\.toByteArray\("([A-Za-z0-9+/=]{100000,})"\)\.buffer/;

/**
 * Moves Rapier's WebAssembly out of its JavaScript into a separate file. It is half as large to load, compiles while it loads,
 * and reports its progress in bytes. The built Rapier takes it from `globalThis.physicsBinary`. Without a build, as with the dev
 * server, Rapier uses its own copy, and the address in `virtual:physics-binary` is null.
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
      const { byteLength } = readFileSync(ENGINE_FILE);
      return `export { default as url } from ${JSON.stringify(`${ENGINE_FILE}?url`)}; export const byteLength = ${byteLength};`;
    },
    transform: (code, id) => (building ? withSeparateEngine(code, id) : null),
  };
}

/**
 * Returns Rapier's JavaScript without the engine's bytes; null for any other module.
 * @throws Error if Rapier includes its engine in an unexpected way
 */
function withSeparateEngine(code: string, moduleId: string): { code: string; map: null } | null {
  if (!/rapier3d-compat[\\/]dist[\\/]rapier\.mjs$/.test(moduleId)) return null;
  const [inlined, base64] = INLINED.exec(code) ?? [];
  if (!inlined || !base64 || !Buffer.from(base64, 'base64').equals(readFileSync(ENGINE_FILE)))
    throw new Error(
      `${PHYSICS_PACKAGE} includes its WebAssembly in a form that scripts/vite/physics-binary.ts does not support.`,
    );
  return { code: code.replace(inlined, () => 'globalThis.physicsBinary'), map: null };
}
