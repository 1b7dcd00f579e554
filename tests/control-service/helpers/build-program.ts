import { basename, join } from 'node:path';
import { build } from 'vite';

const PROJECT_DIR = join(import.meta.dirname, '../../..');

/** Makes one file of a program in TypeScript: many processes that each translate it anew take longer than all else. @returns its path */
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
