import { resolve } from 'node:path';

const PROGRAM = resolve(import.meta.dirname, '../../../scripts/simplesim.mjs');

export type Command = 'start' | 'service' | 'worker' | 'headless' | 'link';

/** Returns Node’s arguments for a command, as its script in package.json has them: compiled, and recompiled when stale. */
export const commandArgs = (command: Command): string[] => [
  ...(command === 'worker' ? ['--experimental-websocket'] : []),
  PROGRAM,
  command,
];
