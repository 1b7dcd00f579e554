import { basename, join } from 'node:path';
import { build } from 'vite';

const PROJECT_DIR = join(import.meta.dirname, '../../..');

/**
 * Bundles a TypeScript program into one file, because translating it in each of many processes dominates the run time.
 * @returns its path
 */
export async function buildProgram(entry: string, folder: string): Promise<string> {
  const outDir = join(folder, 'program');
  await build({
    configFile: false,
    root: PROJECT_DIR,
    publicDir: false,
    logLevel: 'warn',
    build: { ssr: entry, outDir, emptyOutDir: true, minify: false },
    ssr: { noExternal: true, external: ['@electric-sql/pglite', 'pg'] },
  });
  return join(outDir, basename(entry).replace(/\.ts$/, '.js'));
}
