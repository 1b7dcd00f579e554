import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const MODULE_ID = 'virtual:physics-binary';
const RESOLVED_ID = `\0${MODULE_ID}`;
const PACKAGE = '@dimforge/rapier3d-compat';
/** Where Rapier unpacks the WebAssembly that it brings as text. */
const INLINED = /[\w$]+\.toByteArray\("([A-Za-z0-9+/=]{100000,})"\)\.buffer/;

/**
 * Takes Rapier's WebAssembly out of its JavaScript and makes it a file of its own: a third smaller to load, compiled while it loads, and
 * loaded with a progress that can be told. The built Rapier takes it from `globalThis.physicsBinary`; without a build, as with the dev
 * server, it brings its own and the address in `virtual:physics-binary` is null.
 */
export function physicsBinary(): Plugin {
  const file = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), 'rapier_wasm3d_bg.wasm');
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
      const { byteLength } = readFileSync(file);
      return `export { default as url } from ${JSON.stringify(`${file}?url`)}; export const byteLength = ${byteLength};`;
    },
    transform(code, id) {
      if (!building || !/rapier3d-compat[\\/]dist[\\/]rapier\.mjs$/.test(id)) return null;
      const [whole, base64] = INLINED.exec(code) ?? [];
      if (!whole || !base64 || !Buffer.from(base64, 'base64').equals(readFileSync(file)))
        throw new Error(`${PACKAGE} brings its WebAssembly in another way than scripts/vite/physics-binary.ts knows.`);
      return { code: code.replace(whole, () => 'globalThis.physicsBinary'), map: null };
    },
  };
}
