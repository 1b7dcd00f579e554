import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The arguments of `fork` to run a program of this project. */
export interface Program {
  file: string;
  execArgv: string[];
}

/**
 * Returns a program that lies beside the module that starts it: in TypeScript like that module, then with a loader, or compiled
 * like it.
 * @param moduleUrl `import.meta.url` of the module
 * @param name of its file, without the ending of the language
 */
export function programBeside(moduleUrl: string, name: string): Program {
  const language = extname(fileURLToPath(moduleUrl));
  const file = fileURLToPath(new URL(`./${name}${language}`, moduleUrl));
  if (language !== '.ts') return { file, execArgv: [] };
  // The loader is found from here, wherever the program is started.
  return { file, execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] };
}
