import { resolve } from 'node:path';

const RUN = resolve(import.meta.dirname, '../../../scripts/run.mjs');

export type Command = 'start' | 'service' | 'worker' | 'link';

/** What Node is given for a command of the project, as its script in package.json has it: compiled, and compiled anew when it is old. */
export const commandArgs = (command: Command): string[] => [
  ...(command === 'worker' ? ['--experimental-websocket'] : []),
  RUN,
  command,
];
