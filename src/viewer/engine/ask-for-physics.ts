import { byteLength, url } from 'virtual:physics-binary';
import { loadBinary } from './load-binary.ts';

/**
 * Asks for the physics engine's WebAssembly, which the built Rapier takes from `globalThis.physicsBinary`. Without a build, Rapier brings its
 * own, and nothing is asked for.
 * @param onProgress bytes received, and bytes in all
 */
export function askForPhysics(onProgress: (loaded: number, total: number) => void): void {
  if (url === null) return;
  const binary = loadBinary(url, byteLength, (loaded) => onProgress(loaded, byteLength));
  // The code that needs it learns why it failed.
  binary.catch(() => undefined);
  Object.assign(globalThis, { physicsBinary: binary });
}
