import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Matches the start of a worker in the sources: the file's address is inside the call itself, as Vite requires. */
const WORKER_URL = /(new Worker\(\s*)new URL\(\s*'(\.[^']+)',\s*import\.meta\.url\s*\)/g;

/**
 * Makes the workers entries of the page's own build, so that modules used by both page and workers (three, zod, the stage) are in
 * one file, which is loaded once. Vite would build each worker separately, with a copy of everything. The dev server uses Vite's
 * way.
 */
export const workersInBuild = (): Plugin => ({
  name: 'simplesim-workers-in-build',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/node_modules/')) return null;
    const replaced = code.replace(WORKER_URL, (_, call: string, path: string) => {
      const reference = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
      return `${call}import.meta.ROLLUP_FILE_URL_${reference}`;
    });
    return replaced === code ? null : { code: replaced, map: null };
  },
});

/** Whether a file of the build is a worker's, which has no document for preloading. */
export const isWorkerFile = (fileName: string): boolean => /(?:^|\/)[\w-]+-worker-[\w-]+\.js$/.test(fileName);
