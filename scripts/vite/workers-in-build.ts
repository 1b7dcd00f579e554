import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** A worker as our sources start one: the file's address stands in the call itself, as Vite wants it. */
const WORKER_URL = /(new Worker\(\s*)new URL\(\s*'(\.[^']+)',\s*import\.meta\.url\s*\)/g;

/**
 * Makes the workers entries of the page's own build, so that what page and workers both use (three, zod, the stage) is one file, loaded
 * once. Vite would build each worker apart, with a copy of everything. The dev server does it Vite's way.
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

/** Whether a file of the build is a worker's: there is no document in which something could be preloaded. */
export const isWorkerFile = (fileName: string): boolean => /(?:^|\/)[\w-]+-worker-[\w-]+\.js$/.test(fileName);
