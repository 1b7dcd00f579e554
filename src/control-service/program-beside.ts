import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The arguments of `fork` to run a program of this project. */
export interface Program {
  file: string;
  execArgv: string[];
}

/**
 * Returns a program next to the module that starts it: TypeScript with a loader, or compiled, like that module.
 * @param moduleUrl `import.meta.url` of the module
 * @param name of its file, without the extension
 */
export function programBeside(moduleUrl: string, name: string): Program {
  const language = extname(fileURLToPath(moduleUrl));
  const file = fileURLToPath(new URL(`./${name}${language}`, moduleUrl));
  if (language !== '.ts') return { file, execArgv: [] };
  // The loader is resolved from here, so the working directory does not matter.
  return { file, execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] };
}
