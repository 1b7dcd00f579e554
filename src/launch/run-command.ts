import { thrownCode } from '../control-service/thrown.ts';
import { watchOutput } from './output.ts';

/**
 * Runs a command by loading its module. Hundreds of files are read for it: where the system allows too few at once, Node itself would say so
 * in a trace of its own before the command had a word.
 */
export async function runCommand(load: () => Promise<unknown>): Promise<void> {
  // Traces name lines of the sources, also where the commands run compiled.
  process.setSourceMapsEnabled(true);
  watchOutput();
  try {
    await load();
  } catch (error) {
    const code = thrownCode(error);
    if (code !== 'EMFILE' && code !== 'ENFILE') throw error;
    console.error(`Too many files are open (${code}). Raise the limit (ulimit -n 1024), then start again.`);
    process.exit(1);
  }
}
