/** The version in package.json, inserted by the build. */
declare const __PRODUCT_VERSION__: string;

/** Rapier's WebAssembly as a file, made by `scripts/vite/physics-binary.ts`. */
declare module 'virtual:physics-binary' {
  /** Null where nothing was built; Rapier then uses its own. */
  export const url: string | null;
  export const byteLength: number;
}
