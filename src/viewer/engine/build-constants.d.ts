/** The version in package.json, inserted by the build. */
declare const __PRODUCT_VERSION__: string;

/**
 * Whether the page's own server is a platform, which can report which page is a robot: SIMPLESIM_PAGE_HAS_PLATFORM=1 of the
 * build.
 */
declare const __PAGE_HAS_PLATFORM__: boolean;

/** Rapier's WebAssembly as a file, made by `scripts/vite/physics-binary.ts`. */
declare module 'virtual:physics-binary' {
  /** Null if nothing was built; Rapier then uses its own. */
  export const url: string | null;
  export const byteLength: number;
}
