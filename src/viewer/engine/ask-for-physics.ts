import { byteLength, url } from 'virtual:physics-binary';
import { loadBinary } from './load-binary.ts';

/**
 * Requests the physics engine's WebAssembly, which the built Rapier takes from `globalThis.physicsBinary`. Without a build,
 * Rapier includes its own, and nothing is requested.
 * @param onProgress bytes received, and bytes in all
 */
export function askForPhysics(onProgress: (loaded: number, total: number) => void): void {
  if (url === null) return;
  const binary = loadBinary(url, byteLength, (loaded) => onProgress(loaded, byteLength));
  // The code that needs the binary receives the error.
  binary.catch(() => undefined);
  Object.assign(globalThis, { physicsBinary: binary });
}
